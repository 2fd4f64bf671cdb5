/** Sends in flight to one endpoint at most, over all nodes. */
export const perEndpoint = 20
/** After this many failures in a row an endpoint gets one send at a time: the schedule holds, the others stay free. */
export const slowLaneFrom = 5
/** An endpoint that has left a send hanging for this long gets no other until it answers. */
export const slowAfterMs = 1_500
/** Sends one node has in flight at most. */
export const perNode = 2_000
/** How much longer than a send may take its lease lasts. With 8 s, a dead worker's sends are free after 14 s. */
export const leaseMarginMs = 6_000
