import { describe, expect, it } from 'vitest'
import type { AnalysisInput, ToolName, ToolResult, ToolUse } from '../../voice/ports.ts'
import { builtInAnalyst } from './built-in-analysis.ts'
import { judgeDisposition } from './llm-analysis.ts'

const used = (name: ToolName, args: unknown = {}, result: Partial<ToolResult> = {}): ToolUse => ({
  name,
  args,
  result: { ok: true, message: '', ...result },
})
const call = (toolUses: ToolUse[], ending: AnalysisInput['ending'] = 'finished'): AnalysisInput => ({
  agentName: 'Asha',
  contactName: 'Ravi',
  language: 'en',
  ending,
  durationSeconds: 30,
  transcript: [{ speaker: 'user', text: 'My appointment, please.', timestamp: 1 }],
  toolUses,
})
const analyse = (input: AnalysisInput) => builtInAnalyst.analyse(input, new AbortController().signal)
const label = 'Monday, 16 November at 9:00'
const found = used('find_appointments', {}, { appointments: [{ appointment_id: 'a1', label }] })
const cancelled = used('cancel_appointment', { appointment_id: 'a1' })
const moved = used('move_appointment', { appointment_id: 'a1', slot_id: 's1' }, { label })
const booked = used('book_appointment', { slot_id: 's1' }, { label, appointment_id: 'a1' })

it('a cancelled appointment is told in plain words, and the call simply ended', async () => {
  expect(await analyse(call([found, cancelled]))).toEqual({
    analytics: {
      summary: `Asha spoke with Ravi for 30 seconds. The appointment was cancelled: ${label}.`,
      sentiment: 'neutral',
      next_steps: 'Offer the freed place to somebody else, and Ravi another time if wished.',
      disposition: 'session_ended',
    },
    extractedDetails: { cancelled_appointment: { appointment_id: 'a1', label } },
  })
})

it('a moved appointment counts as booked', async () => {
  const { analytics, extractedDetails } = await analyse(call([found, moved]))
  expect(analytics).toMatchObject({
    summary: `Asha spoke with Ravi for 30 seconds. The appointment was moved: ${label}.`,
    next_steps: `Prepare the appointment with Ravi: ${label}.`,
    disposition: 'appointment_booked',
  })
  expect(extractedDetails).toEqual({ appointment: { slot_id: 's1', label } })
})

describe('several at once', () => {
  it('booked and cancelled again in the same call is no booking', async () => {
    expect((await analyse(call([booked, cancelled]))).analytics.disposition).toBe('session_ended')
  })

  it('cancelled and booked anew is a booking, and both are told', async () => {
    const { analytics } = await analyse(
      call([found, cancelled, { ...booked, result: { ok: true, message: '', label } }]),
    )
    expect(analytics.disposition).toBe('appointment_booked')
    expect(analytics.summary).toContain(`An appointment was cancelled: ${label}.`)
  })

  it('who hangs up after cancelling has not broken off', async () => {
    expect((await analyse(call([found, cancelled], 'hung_up_by_callee'))).analytics.disposition).toBe('session_ended')
  })
})

it('a model’s verdict is corrected the same way', () => {
  expect(judgeDisposition('session_ended', call([moved]))).toBe('appointment_booked')
  expect(judgeDisposition('ended_by_customer', call([cancelled], 'hung_up_by_callee'))).toBe('session_ended')
  expect(() => judgeDisposition('appointment_booked', call([booked, cancelled]))).toThrow()
})
