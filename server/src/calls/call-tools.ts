import { fault } from '../platform/errors.ts'
import { parseInstant } from '../platform/instant.ts'
import type { Tool, ToolName, Tools } from '../voice/ports.ts'
import type { HoldState } from './booking.ts'
import { transferWords } from './transfer.ts'

/** What a call's tools have brought about; read when the call ends. */
export type ToolState = HoldState & { callbackAt: Date | null }

export type BookingTools = Record<Exclude<ToolName, 'schedule_callback' | 'transfer_to_human' | 'end_call'>, Tool>

export const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
export const text = (description: string) => ({ type: 'string', description })

/** What the agent can do besides talking. Booking is there only for an agent with a branch. */
export function toolsFor(
  state: ToolState,
  now: () => Date,
  { booking, canCallBack, language }: { booking: BookingTools | null; canCallBack: boolean; language: string },
): Tools {
  const callback: Tools = {
    schedule_callback: {
      description: 'Call the person back later. Say the time back to them and have it confirmed first.',
      parameters: object({ at: text('ISO 8601 with offset, in the future') }),
      run: async (args) => scheduleCallback(state, now(), (args as { at?: unknown })?.at),
    },
  }
  return {
    ...(booking ?? {}),
    ...(canCallBack ? callback : {}),
    transfer_to_human: {
      description: 'Put the person through to a human colleague. Ends your part of the call.',
      parameters: object({}),
      run: async () => ({ ok: true, message: transferWords(language).connecting }),
    },
    end_call: {
      description: 'Hang up, after you have said goodbye.',
      parameters: object({ reason: { type: 'string', enum: ['done', 'not_interested', 'no_response'] } }, []),
      run: async () => ({ ok: true, message: '' }),
    },
  }
}

function scheduleCallback(state: ToolState, now: Date, at: unknown) {
  const instant = typeof at === 'string' ? parseInstant(at) : 'format'
  const yearAhead = new Date(now)
  yearAhead.setUTCFullYear(now.getUTCFullYear() + 1)
  if (!(instant instanceof Date) || instant <= now || instant > yearAhead) {
    return {
      ok: false,
      message: 'I did not get the time. When may I call back?',
      fault: fault('at', 'format', 'ISO 8601 with offset, in the future'),
    }
  }
  state.callbackAt = instant
  return { ok: true, message: 'Thank you, I will call you back then.', at: instant.toISOString() }
}
