import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'

/**
 * Refuses requests from a page of another origin, because a tool with the service token may be reachable from a browser.
 * Refusals: access_denied. Contract: docs/contract.md#who-is-refused.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.headers.origin !== undefined) requireOwnOrigin(request, publicUrl)
}

/**
 * Refuses requests that do not come from a page of ours. Browsers send the origin with every POST, and a page cannot change it. So a
 * request with a cookie and without an origin is refused too. Refusals: access_denied. Contract: docs/contract.md#callers.
 */
export function requireOwnOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const own = new URL(publicUrl).origin
  const site = headers['sec-fetch-site']
  if (headers.origin === own && (site === undefined || site === 'same-origin')) return
  throw new Refusal('access_denied', { cause: 'origin' }, { message: `Requests must come from the origin ${own}.` })
}
