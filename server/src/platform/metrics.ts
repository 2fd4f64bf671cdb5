import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  requestSeconds: Histogram<'method' | 'route' | 'status'>
}

/** One registry per app, so that two in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'parley_http_request_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
  }
}
