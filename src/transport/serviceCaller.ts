import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ServiceActor } from '../domain/access/actor.ts'
import { findServiceToken } from '../domain/access/serviceTokens.ts'
import type { Services } from '../domain/context.ts'
import { bindSql } from '../domain/sql.ts'

/** Minimum of a token in a list. The whole setting is a token too, because a token may contain commas. */
const tokenCharactersMin = 32

/**
 * True when the request carries the service token, or one of several separated by commas, as during a rotation.
 * Contract: docs/contract.md#data-and-secrets.
 */
export function isServiceCaller(request: FastifyRequest, serviceToken: string | undefined): boolean {
  const presented = bearerOf(request.headers.authorization)
  if (serviceToken === undefined || presented === undefined) return false
  const listed = serviceToken.split(',').filter((token) => token.length >= tokenCharactersMin)
  return [serviceToken, ...listed].some((token) => isSame(presented, token))
}

/** The actor by the `Authorization` header; `undefined` without a service token. Contract: docs/contract.md#callers. */
export async function serviceActorOf(
  request: FastifyRequest,
  { pool }: Pick<Services, 'pool'>,
  serviceToken: string | undefined,
): Promise<ServiceActor | undefined> {
  if (isServiceCaller(request, serviceToken)) return { kind: 'service' }
  const presented = bearerOf(request.headers.authorization)
  const token = presented === undefined ? undefined : await findServiceToken(bindSql(pool), presented)
  return token && { kind: 'service', token }
}

/** Compares hashes, so that timing reveals neither length nor content. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Returns the bearer token of an `Authorization` header; undefined without a header, for another scheme, or without a value.
 * Contract: docs/contract.md#api-keys.
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^bearer +(\S+) *$/i)?.[1]
}
