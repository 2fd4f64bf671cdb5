import { useId, useState } from 'react'
import './bar-chart.css'
import { type Bar, barsOf } from './bars.ts'

interface BarChartProps {
  title: string
  /** One sentence for who does not see the bars. */
  summary: string
  series: readonly string[]
  bars: readonly Bar[]
}

const width = 600
const height = 150
// For the numbers of the scale, so that no bar stands on them.
const gutter = 40

/** Stacked bars as a picture with a sentence, and the same numbers as a table. */
export function BarChart({ title, summary, series, bars }: BarChartProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const { rects, ticks, labels } = barsOf(bars, { width: width - gutter, height })
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id} className="chart-title">
        {title}
      </figcaption>
      <ul className="chart-legend" aria-hidden="true">
        {series.map((name, at) => (
          <li key={name} data-series={at}>
            {name}
          </li>
        ))}
      </ul>
      <svg viewBox={`${-gutter} -8 ${width} ${height + 32}`} role="img" aria-label={summary} className="chart-bars">
        {ticks.map((tick) => (
          <g key={tick.value}>
            <line x1="0" x2={width - gutter} y1={tick.y} y2={tick.y} className="chart-line" />
            <text x={-6} y={tick.y + 4} textAnchor="end" className="chart-words">
              {tick.value}
            </text>
          </g>
        ))}
        {rects.map((rect) => (
          <rect key={rect.key} {...rect.box} rx="2" data-series={rect.series} className="chart-bar">
            <title>{rect.words(series)}</title>
          </rect>
        ))}
        {labels.map((label) => (
          <text key={label.x} x={label.x} y={height + 18} textAnchor={label.anchor} className="chart-words">
            {label.text}
          </text>
        ))}
      </svg>
      <details className="chart-table" onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>Show as a table</summary>
        {isTable && (
          <table className="table" aria-label={title}>
            <thead>
              <tr>
                <th scope="col">When</th>
                {series.map((name) => (
                  <th key={name} scope="col" data-align="end">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.name}>
                  <td data-label="When">{bar.name}</td>
                  {bar.parts.map((part, at) => (
                    <td key={series[at]} data-label={series[at]} data-align="end">
                      {part}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
    </figure>
  )
}
