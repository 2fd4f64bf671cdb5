import type { Metric, MetricObject, MetricValue, Registry } from 'prom-client'

/** For one route: what took how long. */
export type ObserveRequest = (method: string, status: number, seconds: number) => void
export type RequestTimes = { of(route: string): ObserveRequest }

type Series = { labels: Record<string, string | number>; buckets: Float64Array; sum: number; count: number }

const name = 'parley_http_request_seconds'
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const noCounts = () => new Float64Array(bounds.length)

/** The registry's own histogram takes its labels apart at every observation: four in a hundred of a request's time. */
export function createRequestTimes(registry: Registry): RequestTimes {
  const all: Series[] = []
  const metric = {
    name,
    reset: () => {
      for (const series of all) Object.assign(series, { sum: 0, count: 0, buckets: noCounts() })
    },
    get: async (): Promise<MetricObject & { values: MetricValue<string>[] }> => ({
      name,
      help: 'Time from the request to the end of its answer.',
      type: 'histogram' as unknown as MetricObject['type'],
      aggregator: 'sum',
      collect: () => {},
      values: all.flatMap(valuesOf),
    }),
  }
  registry.registerMetric(metric as unknown as Metric)
  return {
    of(route) {
      const byMethod = new Map<string, Map<number, Series>>()
      const begin = (method: string, status: number): Series => {
        const series = { labels: { method, route, status }, buckets: noCounts(), sum: 0, count: 0 }
        const byStatus = byMethod.get(method) ?? new Map<number, Series>()
        byMethod.set(method, byStatus.set(status, series))
        all.push(series)
        return series
      }
      return (method, status, seconds) => {
        const series = byMethod.get(method)?.get(status) ?? begin(method, status)
        series.sum += seconds
        series.count += 1
        const bucket = bounds.findIndex((bound) => seconds <= bound)
        if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
      }
    },
  }
}

/** Buckets count everything up to their bound, and the last is boundless. */
function valuesOf({ labels, buckets, sum, count }: Series): (MetricValue<string> & { metricName: string })[] {
  let below = 0
  const counted = bounds.map((le, index) => {
    below += buckets[index] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below }
  })
  return [
    ...counted,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
