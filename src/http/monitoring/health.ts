import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { memoizeFor } from '../../concurrency/memoizeFor.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { RouteGroup } from '../routeGroup.ts'

export type Readiness = () => Promise<{ ready: boolean; faults: string[] }>

/** Cache time of the readiness check. */
export const readinessCacheMs = 1000

/** `/healthz`: answers while the event loop runs. It does not check the database. */
export const liveness: RouteGroup = {
  paths: [{ path: '/healthz', methods: ['GET'] }],
  plugin: async (app) => {
    app.get('/healthz', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
  },
}

export type ReadinessOptions = {
  readiness: Readiness
  isDraining(): boolean
  /** Counts a request that causes a database check. Refusals: rate_limited, service_unavailable. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** `/readyz`: the process can serve requests. Checks the database at most once a second. Contract: docs/contract.md#health-and-metrics. */
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

/** Ignores service_unavailable: readiness must be answered when the database is down. Refusals: the other ones of `counting`. */
export async function ignoreUnavailableCount(counting: Promise<void>): Promise<void> {
  try {
    await counting
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'service_unavailable')) throw error
  }
}
