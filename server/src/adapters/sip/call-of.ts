import { createEventLog, type EventLog } from '../simulator/event-log.ts'
import type { CallEvent, SipCall } from './call.ts'
import type { Dialog } from './dialog.ts'
import { refer } from './refer.ts'
import { changeDirection } from './reinvite.ts'
import { askWithin, type Session } from './session.ts'

/** The call as others see it. Before the answer there is no session, and nothing to change. */
export function callOf(
  id: string,
  events: EventLog<CallEvent>,
  session: () => Session | null,
  hangup: () => Promise<void>,
  early: () => Dialog | null = () => null,
): SipCall {
  const within = async <Result>(otherwise: Result, act: (session: Session) => Promise<Result>): Promise<Result> => {
    const current = session()
    return current && !current.ended ? act(current) : otherwise
  }
  return {
    id,
    dialog: () => session()?.dialog ?? early(),
    events: events.events,
    hangup: () => atMost(farewellMs, hangup()),
    refer: (number) => within({ outcome: 'refused', status: null }, (current) => refer(current, number)),
    hold: () => within(false, (current) => changeDirection(current, 'sendonly')),
    resume: () => within(false, (current) => changeDirection(current, 'sendrecv')),
    sendInfoDigit: (digit) =>
      within(false, async (current) => {
        if (!/^[0-9*#A-D]$/.test(digit)) return false
        const body = { type: 'application/dtmf-relay', text: `Signal=${digit}\r\nDuration=160\r\n` }
        const asked = await askWithin(current, 'INFO', { body }).catch(() => null)
        return asked !== null && asked.response.status < 300
      }),
  }
}

/** A far end that has died is told goodbye for half a minute; whoever hung up need not wait for that. */
const farewellMs = 2_000

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, ms)
    const done = () => {
      clearTimeout(limit)
      resolve()
    }
    work.then(done, done)
  })
}

/** The events of one call; `onEnd` when the last of them is told. */
export function createCallEvents(onEnd: () => void): EventLog<CallEvent> {
  const log = createEventLog<CallEvent>()
  return {
    ...log,
    add: (event) => {
      log.add(event)
      if (event.type === 'ended') onEnd()
    },
  }
}
