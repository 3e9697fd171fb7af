import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { memoizeFor } from '../../concurrency/memoizeFor.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { RouteGroup } from '../routeGroup.ts'

export type Readiness = () => Promise<{ ready: boolean; faults: string[] }>

/** How long what was found of the database is told again, however often somebody asks. */
export const readinessCacheMs = 1000

/** `/healthz`: the event loop turns. It asks nothing and nobody. */
export const liveness: RouteGroup = {
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
export function readinessRoute({ readiness, isDraining, count }: ReadinessOptions): RouteGroup {
  const ready = memoizeFor(readinessCacheMs, readiness)
  const checkReadiness = async (request: FastifyRequest, reply: FastifyReply) => {
    const { answer, isNew } = ready()
    const [found] = await Promise.all([answer, isNew ? ignoreUnavailableCount(count(request, reply)) : undefined])
    return found
  }
  return {
    paths: [{ path: '/readyz', methods: ['GET'] }],
    plugin: async (app: FastifyInstance) => {
      app.get('/readyz', async (request, reply) => {
        const { ready, faults } = isDraining() ? { ready: false, faults: ['shutting down'] } : await checkReadiness(request, reply)
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
export async function ignoreUnavailableCount(counting: Promise<void>): Promise<void> {
  try {
    await counting
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
  }
}
