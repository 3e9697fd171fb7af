import type { FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'

/**
 * Refuses what a page of another origin sends: whoever holds the service token may be a tool that runs in a browser's reach.
 * Refusals: access_denied. Contract: docs/contract.md#who-is-refused.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.headers.origin !== undefined) requireOwnOrigin(request, publicUrl)
}

/**
 * Refuses what no page of ours has sent. Browsers name the origin in whatever they send by POST, and a page cannot change it: a request
 * that comes with a cookie and names none was made by something else. Refusals: access_denied. Contract: docs/contract.md#callers.
 */
export function requireOwnOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const own = new URL(publicUrl).origin
  const site = headers['sec-fetch-site']
  if (headers.origin === own && (site === undefined || site === 'same-origin')) return
  throw new Refusal('access_denied', undefined, { message: `Requests from another origin than ${own} are not taken.` })
}
