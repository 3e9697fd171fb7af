import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from './bearer.ts'

/** Whether the request presents the service token. Contract: section 1, SERVICE_TOKEN. */
export function isServiceCaller(request: FastifyRequest, serviceToken: string | undefined): boolean {
  const presented = bearerOf(request.headers.authorization)
  return serviceToken !== undefined && presented !== undefined && isSame(presented, serviceToken)
}

/** Compares hashes, so that neither length nor content shows in the time that it takes. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
