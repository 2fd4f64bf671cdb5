import type { EndpointHealth } from '@parley/contract/webhooks'
import { barsOf } from './bars.ts'

const height = 32
const width = 6

/** The last day, hour by hour: what arrived below, what failed on top. Told in words beside it. */
export function Sparkline({ hours, label }: { hours: EndpointHealth['hours']; label: string }) {
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${hours.length * width} ${height}`}
      preserveAspectRatio="xMinYMax meet"
      role="img"
      aria-label={label}
    >
      {barsOf(hours, height).map(({ good, bad, hour }) => (
        <g key={hour} transform={`translate(${hour * width} 0)`}>
          <rect className="spark-base" x="0" y={height - 1} width={width - 2} height="1" />
          <rect className="spark-good" x="0" y={height - good} width={width - 2} height={good} />
          <rect className="spark-bad" x="0" y={height - good - bad} width={width - 2} height={bad} />
        </g>
      ))}
    </svg>
  )
}
