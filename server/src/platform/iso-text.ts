const thousandths = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`)

/**
 * Writes instants as Date.toISOString does, for those who write many that are close together: what stays the same for a
 * second is written once a second. In V8 the whole text costs as much as a digest.
 */
export function createIsoWriter(): (ms: number) => string {
  let writtenSecond = Number.NaN
  let untilSecond = ''
  return (ms) => {
    const second = Math.floor(ms / 1_000)
    if (second !== writtenSecond) {
      untilSecond = new Date(ms).toISOString().slice(0, -4)
      writtenSecond = second
    }
    return untilSecond + thousandths[ms - second * 1_000]
  }
}
