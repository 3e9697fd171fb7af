import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Metrics } from '../../domain/metrics.ts'
import { isServiceCaller } from '../../transport/serviceCaller.ts'
import type { RouteGroup } from '../routeGroup.ts'
import { ignoreUnavailableCount } from './health.ts'

export type MetricsAccess = {
  /** True: public, with a rate limit. False: requires the service token. */
  open: boolean
  serviceToken: string | undefined
  /** Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** `/metrics` of a listener. Contract: docs/contract.md#health-and-metrics. */
export function metricsRoute(metrics: Metrics, { open, serviceToken, count }: MetricsAccess): RouteGroup {
  return {
    paths: [{ path: '/metrics', methods: ['GET'] }],
    plugin: async (app) => {
      app.get('/metrics', async (request, reply) => {
        if (!isServiceCaller(request, serviceToken)) {
          await ignoreUnavailableCount(count(request, reply))
          if (!open) throw new Refusal('unauthorized')
        }
        const { contentType, text } = await metrics.render()
        return reply.type(contentType).send(text)
      })
    },
  }
}
