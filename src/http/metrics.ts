import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../domain/context.ts'
import { bindSql, statement } from '../domain/sql.ts'
import type { Door } from './app.ts'

/** One answered request; `route` is the pattern, never the address. */
export type Answered = { method: string; route: string; status: number; seconds: number }

export type Metrics = { observe(answered: Answered): void; door: Door }

const openWork = statement<{ name: string; count: string }>(
  'metrics_open_work',
  `select 'generations_' || state as name, count(*) from generations where finished_at is null group by state
   union all select 'jobs_waiting', count(*) from graphile_worker.jobs where locked_at is null and attempts < max_attempts
   union all select 'jobs_running', count(*) from graphile_worker.jobs where locked_at is not null
   union all select 'webhooks_waiting', count(*) from webhook_queue`,
)

/** `/metrics` in the text format of Prometheus: this process, the requests that it answered, and the work that is open everywhere. */
export function makeMetrics(services: Services): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labels = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'atelier_http_requests_total',
    help: 'Requests answered.',
    labelNames: labels,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'atelier_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer; waits included.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const sql = bindSql(services.pool)
  new Gauge({
    name: 'atelier_open_work',
    help: 'Generations, jobs and deliveries that have not ended, in the whole deployment.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { name, count } of await sql.all(openWork, [])) this.set({ kind: name }, Number(count))
    },
  })
  return {
    observe: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    door: {
      paths: [{ path: '/metrics', methods: ['GET'] }],
      plugin: async (app) => {
        app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
      },
    },
  }
}
