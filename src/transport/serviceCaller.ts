import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** What may stand in a list; the whole setting is a token too, since one may hold commas. */
const tokenCharactersMin = 32

/**
 * Whether the request presents the service token, or one of several divided by commas, as while one is rotated.
 * Contract: docs/contract.md#data-and-secrets.
 */
export function isServiceCaller(request: FastifyRequest, serviceToken: string | undefined): boolean {
  const presented = bearerOf(request.headers.authorization)
  if (serviceToken === undefined || presented === undefined) return false
  const listed = serviceToken.split(',').filter((token) => token.length >= tokenCharactersMin)
  return [serviceToken, ...listed].some((token) => isSame(presented, token))
}

/** Compares hashes, so that neither length nor content shows in the time that it takes. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * What an `Authorization` header presents as its bearer; `undefined` for no header, another scheme, or a scheme without a value.
 * Contract: docs/contract.md#api-keys.
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^bearer +(\S+) *$/i)?.[1]
}
