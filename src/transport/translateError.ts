import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DocUrls } from '../contract/docUrl.ts'
import { limits } from '../contract/limits.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import type { Log, Services } from '../domain/context.ts'
import { refusalOf } from '../domain/sql.ts'
import { refusalHeaders } from './refusalHeaders.ts'
import { addRequestLogFields } from './requestLogFields.ts'

/**
 * Translates any error into a refusal. A refusal is returned unchanged, a Fastify error is translated by its code, and an unreachable
 * database becomes service_unavailable. Any other error is a bug: it is logged and becomes internal_error.
 */
export function asRefusal(error: unknown, log: Log, requestId: string): Refusal {
  const known = refusalOf(error) ?? frameworkRefusal(error)
  if (known && known.code !== 'internal_error') {
    if (known.code === 'service_unavailable') log.warn({ requestId, cause: messageOf(known.cause) }, 'service unavailable')
    return known
  }
  log.error(
    { requestId, error: error instanceof Error ? error.stack : String(error), cause: messageOf((error as Error)?.cause) },
    'internal error',
  )
  return new Refusal('internal_error', undefined, { cause: error })
}

/** Sends a refusal as JSON, with the headers of its status. Contract: docs/contract.md#refusal-object. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, docUrls: DocUrls): FastifyReply {
  addRequestLogFields(reply.request, { code: refusal.code })
  return reply
    .code(refusal.http)
    .headers(refusalHeaders(refusal))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(presentRefusal(refusal, docUrls)))
}

function frameworkRefusal(error: unknown): Refusal | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('payload_too_large', { maxBytes: limits.requestBodyBytes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return new Refusal('unsupported_content_type', { received: null, allowed: ['application/json'] })
    case 'FST_ERR_BAD_URL':
      return invalidRequest({ in: 'path', path: [], code: 'bad_format', message: 'The path contains an invalid percent escape.' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'ECONNRESET':
      return invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body does not have the announced length.' })
    default:
      return statusCode === 400
        ? invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The request cannot be read.' })
        : undefined
  }
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}

/** The Fastify error handler of routes that return refusals as JSON. */
export function errorHandler({ log, docUrls }: Pick<Services, 'log' | 'docUrls'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => sendRefusal(reply, asRefusal(error, log, request.id), docUrls)
}
