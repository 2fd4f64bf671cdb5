import { describe, expect, it } from 'vitest'
import type { CallRecord } from './call.ts'
import type { OpenedCall } from './shared-call.ts'
import { sharedCallPage } from './shared-call-page.ts'
import { clockOf, lengthOf, momentOf, outcomeOf } from './shared-call-words.ts'

const call: CallRecord = {
  callId: 'call_1',
  agentId: 'agt_1',
  agentName: 'Asha',
  status: 'in_progress',
  direction: 'outbound',
  contactNumber: '+15005550001',
  contactName: null,
  contactEmail: null,
  preferredLanguage: 'hi',
  additionalInfo: null,
  scheduledAt: null,
  triggeredAt: new Date('2026-11-15T09:30:00Z'),
  answeredAt: null,
  completedAt: null,
  cancelledAt: null,
  durationSeconds: null,
  attempt: 1,
  followsCallId: null,
  scheduledCallId: null,
  creditsConsumed: null,
  recorded: null,
  analytics: null,
  extractedDetails: null,
  errorCode: null,
  errorMessage: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}
const appointment = {
  appointment_id: '01990000-0000-7000-8000-000000000000',
  status: 'confirmed',
  date: '2026-11-16',
  start_time: '09:00',
  end_time: '09:30',
  starts_at: '2026-11-16T09:00:00+05:30',
  ends_at: '2026-11-16T09:30:00+05:30',
  timezone: 'Asia/Kolkata',
  session: 'Morning',
  appointment_type_name: 'Check-up <b>',
} as const
const opened = (shared: Partial<OpenedCall['shared']> = {}): OpenedCall => ({
  call,
  timeZone: 'America/New_York',
  shared: {
    call: { organisation_name: 'Acme' } as OpenedCall['shared']['call'],
    insights: null,
    transcript: [{ speaker: 'speaker_2', text: 'नमस्ते', timestamp: 3.4 }],
    appointments: [],
    recording_url: null,
    ...shared,
  },
  share: {
    organisationId: 'org_1',
    callId: 'call_1',
    links: { token: 'abc', detailsUrl: '', dataUrl: '', recordingUrl: '', transcriptUrl: '', expiresAt: null },
  },
})

describe('the page', () => {
  it('shows an appointment with its day, hours and zone', () => {
    const page = sharedCallPage(opened({ appointments: [appointment] }))
    expect(page).toMatch(/Monday,? 16 November 2026, 09:00 to 09:30 <span>\(Asia\/Kolkata\)<\/span>/)
    expect(page).toContain('Check-up &lt;b&gt; · Confirmed')
  })

  it('of a call that is still going on has a transcript, no player, and says whose hour it is', () => {
    const page = sharedCallPage(opened())
    expect(page).toContain('In progress')
    expect(page).toContain('04:30 Eastern Standard Time')
    expect(page).toContain('<ol class="lines" lang="hi">')
    expect(page).toContain('speaker_2')
    expect(page).not.toMatch(/<audio|Play from|Appointment/)
  })
})

describe('words', () => {
  it('for times and lengths', () => {
    expect([0, 65.9, 3_725].map(clockOf)).toEqual(['0:00', '1:05', '1:02:05'])
    expect([0, 59, 60, 125].map(lengthOf)).toEqual(['0 s', '59 s', '1 min', '2 min 5 s'])
    expect(momentOf(new Date('2026-11-15T09:30:00Z'), 'Asia/Kolkata')).toContain('15:00 India Standard Time')
  })

  it('for outcomes tell nothing of credits, lists or machines', () => {
    const failed = (errorCode: string) => outcomeOf({ ...call, status: 'failed', errorCode }).words
    expect(['busy', 'no_answer', 'node_lost'].map(failed)).toEqual([
      'The line was busy',
      'Nobody answered',
      'Not completed',
    ])
    const disallowed = { ...call, status: 'disallowed', errorCode: 'insufficient_credits' } as const
    expect(outcomeOf(disallowed).words).toBe('Not placed')
  })
})
