/** Sends in flight to one endpoint at most, over all nodes. */
export const perEndpoint = 40
/** So many to one that has not answered lately: one that hangs is to cost a few connections, not all it could have. */
export const perStranger = 4
/** After this many failures in a row an endpoint gets one send at a time: the schedule holds, the others stay free. */
export const slowLaneFrom = 5
/** An endpoint that has left a send hanging for this long gets no other until it answers. */
export const slowAfterMs = 1_500
/** Sends one node has in flight at most. */
export const perNode = 2_000
/** How much longer than a send may take its lease lasts. With 8 s, a dead worker's sends are free after 14 s. */
export const leaseMarginMs = 6_000

export type Pace = {
  /** How many sends may be in flight to an endpoint with so many failures in a row. */
  roomFor(endpointId: string, failures: number): number
  answered(endpointId: string, ok: boolean): void
}

/** Feels its way: every success makes room for one more, a failure starts over. */
export function createPace(): Pace {
  const rooms = new Map<string, number>()
  return {
    roomFor: (endpointId, failures) => (failures >= slowLaneFrom ? 1 : (rooms.get(endpointId) ?? perStranger)),
    answered: (endpointId, ok) => {
      if (ok) rooms.set(endpointId, Math.min(perEndpoint, (rooms.get(endpointId) ?? perStranger) + 1))
      else rooms.delete(endpointId)
    },
  }
}
