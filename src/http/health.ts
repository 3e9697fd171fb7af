import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onceIn } from '../concurrency/onceIn.ts'
import { Refusal } from '../contract/refusals.ts'
import type { Door } from './door.ts'

export type Readiness = () => Promise<{ ready: boolean; faults: string[] }>

/** How long what was found of the database is told again, however often somebody asks. */
export const readinessMs = 1000

/** `/healthz`: the event loop turns. It asks nothing and nobody. */
export const liveness: Door = {
  paths: [{ path: '/healthz', methods: ['GET'] }],
  plugin: async (app) => {
    app.get('/healthz', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
  },
}

export type ReadinessOptions = {
  readiness: Readiness
  isDraining(): boolean
  /** Counts a request on whose behalf the database is asked. Refusals: rate_limited, service_unavailable. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** `/readyz`: requests would be served. The database is asked once a second at most. Contract: docs/contract.md#health-and-metrics. */
export function readinessDoor({ readiness, isDraining, count }: ReadinessOptions): Door {
  const ready = onceIn(readinessMs, readiness)
  const look = async (request: FastifyRequest, reply: FastifyReply) => {
    const { answer, isNew } = ready()
    const [found] = await Promise.all([answer, isNew ? countedOrUnknown(count(request, reply)) : undefined])
    return found
  }
  return {
    paths: [{ path: '/readyz', methods: ['GET'] }],
    plugin: async (app: FastifyInstance) => {
      app.get('/readyz', async (request, reply) => {
        const { ready, faults } = isDraining() ? { ready: false, faults: ['shutting down'] } : await look(request, reply)
        return reply
          .code(ready ? 200 : 503)
          .header('Cache-Control', 'no-store')
          .headers(ready ? {} : { 'Retry-After': '5' })
          .send({ status: ready ? 'ready' : 'not ready', faults })
      })
    },
  }
}

/** A database that cannot count is what the answer is about. Refusals: those of `counting`, but for service_unavailable. */
export async function countedOrUnknown(counting: Promise<void>): Promise<void> {
  try {
    await counting
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
  }
}
