// Server-made peaks as two SVG paths: the agent above the middle, the other person below.
export const size = { width: 240, height: 64 }
const middle = size.height / 2
const tallest = middle - 2

const thinned = (peaks: readonly number[], bars: number): number[] =>
  Array.from({ length: bars }, (_, i) =>
    Math.max(0, ...peaks.slice(Math.floor((i * peaks.length) / bars), Math.ceil(((i + 1) * peaks.length) / bars))),
  )

/** One bar per step; even silence leaves a trace. */
export function barsPath(peaks: readonly number[], side: 'above' | 'below', bars = 120): string {
  const step = size.width / bars
  const width = (step * 0.62).toFixed(2)
  return thinned(peaks, bars)
    .map((peak, i) => {
      const height = Math.max(0.6, Math.min(1, peak) * tallest)
      const top = side === 'above' ? middle - 0.5 - height : middle + 0.5
      return `M${(i * step).toFixed(2)} ${top.toFixed(1)}h${width}v${height.toFixed(1)}h-${width}z`
    })
    .join('')
}
