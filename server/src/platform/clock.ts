/** Time is an argument: nothing below main reads the machine's clock. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
