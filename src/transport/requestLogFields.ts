import type { FastifyRequest } from 'fastify'
import { isId } from '../contract/ids.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'

/** The caller and the outcome of a request, for its log entry. `code`: the refusal, for several the first. */
export type RequestLogFields = {
  userId?: string
  teamId?: string | null
  keyId?: string
  generationId?: string | undefined
  code?: RefusalCode
}

const fieldsByRequest = new WeakMap<FastifyRequest, RequestLogFields>()

/** Adds fields to the log entry of a request. A later value replaces an earlier one. Contract: docs/contract.md#logs-and-telemetry. */
export function addRequestLogFields(request: FastifyRequest, fields: RequestLogFields): void {
  fieldsByRequest.set(request, { ...fieldsByRequest.get(request), ...fields })
}

/** The fields for the log entry of a request. */
export function requestLogFields(request: FastifyRequest): RequestLogFields {
  return fieldsByRequest.get(request) ?? {}
}

/** The generation that a response is about: its `generationId`, if it has one. */
export function generationIdOf(body: unknown): string | undefined {
  const { generationId } = (typeof body === 'object' && body !== null ? body : {}) as { generationId?: unknown }
  return typeof generationId === 'string' && isId('gen', generationId) ? generationId : undefined
}
