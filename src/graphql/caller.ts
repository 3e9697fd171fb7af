import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import { bearerOf } from '../transport/bearer.ts'

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
  const presented = bearerOf(request.headers.authorization)
  return serviceToken !== undefined && presented !== undefined && isSame(presented, serviceToken) ? { kind: 'service' } : undefined
}

/** Compares hashes, so that neither length nor content shows in the time that it takes. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
