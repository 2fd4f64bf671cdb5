import type { Call } from '@parley/contract/calls'
import type { LightMyRequestResponse } from 'fastify'
import { createShareFinder } from '../../src/sharing/share-finder.ts'
import { issueShareLink, revokeShare, setSharing } from '../../src/sharing/sharing.service.ts'
import type { Organisation, TestApp, TestClock } from '../app.ts'

export const sharing = (name = 'Acme Clinic', expiry: 'hour' | 'day' | 'week' | 'month' | null = null) => ({
  organisation: {
    name,
    plan: 'professional' as const,
    credits: 100,
    timezone: 'Asia/Kolkata',
    public_share: { enabled: true, expiry },
  },
})

const actor = 'test'
const isDone = (call: Call) => call.status === 'failed' || (call.status === 'completed' && call.call_analytics !== null)

/** What a dashboard would do, on the same database and key as the app. */
export function sharingOf(t: TestApp, clock: TestClock) {
  const shares = createShareFinder({ db: t.db, secretKey: 'secret for tests only', baseUrl: 'http://127.0.0.1:3000' })
  const deps = { db: t.db, clock, shares }
  return {
    /** A call that is over, with everything there is to it. */
    call: async (org: Organisation, more: object = {}): Promise<Call> => {
      // Calls are due by the database's clock.
      clock.set(new Date().toISOString())
      const body = { agent_id: org.agentId, user_number: '+15005550001', user_name: 'Maya', ...more }
      const { call_id } = (await t.send(org.key, 'POST', '/v1/calls', body)).json().data
      return t.untilCall(org.key, call_id, isDone)
    },
    link: (org: Organisation, callId: string, renew = false) =>
      issueShareLink(deps, org.organisationId, callId, { renew, actor }),
    revoke: (org: Organisation, callId: string) => revokeShare(deps, org.organisationId, callId, actor),
    set: (org: Organisation, change: Parameters<typeof setSharing>[2]) =>
      setSharing(deps, org.organisationId, change, actor),
    get: (link: string, headers = {}): Promise<LightMyRequestResponse> =>
      t.app.inject({ url: link.replace('http://127.0.0.1:3000', ''), headers }),
  }
}

export const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** What a client can tell answers apart by: all of it, but for what differs between any two answers. */
export function visible(answer: LightMyRequestResponse): object {
  const { 'x-request-id': id, date, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body: answer.body.replaceAll(String(id), 'req_…') }
}
