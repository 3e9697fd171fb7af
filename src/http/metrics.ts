import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '../contract/refusals.ts'
import type { Services } from '../domain/context.ts'
import { countOpenWork } from '../domain/generations/countOpenWork.ts'
import { isServiceCaller } from '../transport/serviceCaller.ts'
import type { Door } from './door.ts'

/** One answered request; `route` is the pattern, never the address. */
export type Answered = { method: string; route: string; status: number; seconds: number }

export type Metrics = {
  observe(answered: Answered): void
  /** For one listener: `open` answers anybody, who is then counted; else the service token is asked for. */
  door(options: MetricsAccess): Door
}

export type MetricsAccess = {
  open: boolean
  serviceToken: string | undefined
  /** Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** How old the figures of the whole deployment may be, however often somebody asks. */
const openWorkMs = 5000

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
  const counted = onceIn(openWorkMs, () => countOpenWork(services))
  new Gauge({
    name: 'atelier_open_work',
    help: 'Generations, jobs and deliveries that have not ended, in the whole deployment.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const counts = await counted()
      this.reset()
      for (const { kind, count } of counts) this.set({ kind }, count)
    },
  })
  gaugeBreakers(services, registry)
  return {
    observe: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    door: ({ open, serviceToken, count }) => ({
      paths: [{ path: '/metrics', methods: ['GET'] }],
      plugin: async (app) => {
        app.get('/metrics', async (request, reply) => {
          if (!isServiceCaller(request, serviceToken)) {
            await count(request, reply)
            if (!open) throw new Refusal('unauthorized')
          }
          return reply.type(registry.contentType).send(await registry.metrics())
        })
      },
    }),
  }
}

/** Which families and vendors are locked because of failures in a row, as this process knows it, and how often each was. */
function gaugeBreakers({ catalog, breakers }: Services, registry: Registry): void {
  new Gauge({
    name: 'atelier_family_locked',
    help: 'Whether failures in a row keep starts of the family out now, by itself or by all of its vendors.',
    labelNames: ['family'],
    registers: [registry],
    collect() {
      this.reset()
      for (const family of catalog.families.keys()) {
        this.set({ family }, breakers.familyLockedSeconds(family) > 0 ? 1 : 0)
      }
    },
  })
  new Counter({
    name: 'atelier_breaker_opened_total',
    help: 'How often a family, or the account with a vendor, was locked; trials that failed included. In the whole deployment.',
    labelNames: ['subject'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { subject, opened } of breakers.current().values()) this.inc({ subject }, opened)
    },
  })
}

/** Asks anew when the last answer is older than so many milliseconds, and never twice at once. A failure is not kept. */
function onceIn<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { at: number; answer: Promise<Answer> } | undefined
  return async () => {
    if (!last || performance.now() - last.at >= milliseconds) last = { at: performance.now(), answer: ask() }
    const asked = last
    try {
      return await asked.answer
    } catch (error) {
      if (last === asked) last = undefined
      throw error
    }
  }
}
