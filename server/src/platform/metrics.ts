import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  requestSeconds: Histogram<'method' | 'route' | 'status'>
  dialLatenessSeconds: Histogram
  callsInTheAir: Gauge
  callsLost: Counter
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
    dialLatenessSeconds: new Histogram({
      name: 'parley_dial_lateness_seconds',
      help: 'How much later than its scheduled_at a call was dialled.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
      registers: [registry],
    }),
    callsInTheAir: new Gauge({
      name: 'parley_calls_in_the_air',
      help: 'Calls this node is dialling or talking in.',
      registers: [registry],
    }),
    callsLost: new Counter({
      name: 'parley_calls_lost_total',
      help: 'Calls ended because their node went away.',
      registers: [registry],
    }),
  }
}
