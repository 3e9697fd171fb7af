import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import { isServiceCaller } from '../transport/serviceCaller.ts'

/**
 * Refuses what a page of another origin sends: whoever holds the service token may be a tool that runs in a browser's reach.
 * Refusals: access_denied. Contract: section 6.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers
  if (origin === undefined || origin === new URL(publicUrl).origin) return
  throw new Refusal('access_denied', undefined, { message: 'Requests from another origin are not taken.' })
}

/** Who asks, by the `Authorization` header; `undefined` for anybody whom we do not know. */
export function callerOf(request: FastifyRequest, serviceToken: string | undefined): Actor | undefined {
  return isServiceCaller(request, serviceToken) ? { kind: 'service' } : undefined
}
