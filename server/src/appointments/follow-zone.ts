import type { FollowZone } from '../branches/branch-settings.service.ts'
import type { Clock } from '../platform/clock.ts'
import { spansIn } from '../platform/local-time.ts'
import { renewWindows } from '../slots/windows.service.ts'
import { recordEvents } from '../webhooks/events.service.ts'
import { appointmentView } from './appointment-view.ts'
import { lockComingOf, updateInstants } from './follow-zone.store.ts'

/**
 * A branch in another zone: whoever has an appointment there was told a time of day, and it stays that (0042). What is
 * over stays as it was. Appointments are locked before windows, as everybody does who changes one.
 */
export const followZone =
  (clock: Clock): FollowZone =>
  async (tx, organisationId, { branchId, timezone }) => {
    const coming = () => lockComingOf(tx, organisationId, branchId, timezone, clock.now())
    await coming()
    // A booking under way has ended after this, and one that read the old zone reads again.
    await renewWindows(tx, organisationId, branchId)
    const spanOn = spansIn(timezone)
    const moved = (await coming()).map((each) => {
      const { startsAt, endsAt } = spanOn(each.date, each.startTime, each.endTime)
      return { ...each, timezone, startsAt: startsAt.at, endsAt: endsAt.at }
    })
    const changed = await updateInstants(tx, organisationId, timezone, moved)
    await recordEvents(
      tx,
      changed.map((each) => ({
        organisationId,
        type: 'appointment.updated',
        callId: each.callId,
        data: appointmentView(each),
      })),
    )
    return changed.length
  }
