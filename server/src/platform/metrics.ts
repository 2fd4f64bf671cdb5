import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createRequestTimes, type RequestTimes } from './request-times.ts'

export type Metrics = {
  registry: Registry
  requestTimes: RequestTimes
  dialLatenessSeconds: Histogram
  callsInTheAir: Gauge
  callsLost: Counter
  turnDelaySeconds: Histogram<'part'>
  webhookAttempts: Counter<'result'>
  webhooksInFlight: Gauge
  webhookLatenessSeconds: Histogram
  webhookRepairs: Counter<'kind'>
}

type WebhookHealth = { oldestDueSeconds: number; disabledEndpoints: number }

/** One registry per app, so that two in one process do not mix. */
export function createMetrics(webhookHealth: () => Promise<WebhookHealth>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const disabledEndpoints = new Gauge({
    name: 'parley_webhook_endpoints_disabled',
    help: 'Webhook endpoints that are switched off.',
    registers: [registry],
  })
  new Gauge({
    name: 'parley_webhook_oldest_due_seconds',
    help: 'How long the oldest delivery that is due has waited, those of failing endpoints included.',
    registers: [registry],
    // Asked when somebody looks; a database that is away leaves both as they were.
    async collect() {
      const health = await webhookHealth().catch(() => null)
      if (!health) return
      this.set(health.oldestDueSeconds)
      disabledEndpoints.set(health.disabledEndpoints)
    },
  })
  return {
    registry,
    requestTimes: createRequestTimes(registry),
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
    turnDelaySeconds: new Histogram({
      name: 'parley_turn_delay_seconds',
      help: "How long people on real lines waited from their last sound to the agent's first, by part and in total.",
      labelNames: ['part'],
      buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
      registers: [registry],
    }),
    webhookAttempts: new Counter({
      name: 'parley_webhook_attempts_total',
      help: 'Delivery attempts of this node: ok, late (somebody else had taken over), or the class of failure.',
      labelNames: ['result'],
      registers: [registry],
    }),
    webhooksInFlight: new Gauge({
      name: 'parley_webhooks_in_flight',
      help: 'Deliveries this node is sending.',
      registers: [registry],
    }),
    webhookLatenessSeconds: new Histogram({
      name: 'parley_webhook_lateness_seconds',
      help: 'How much later than due a delivery was claimed.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers: [registry],
    }),
    webhookRepairs: new Counter({
      name: 'parley_webhook_repairs_total',
      help: 'Broken invariants that were mended, by kind.',
      labelNames: ['kind'],
      registers: [registry],
    }),
  }
}
