import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { asRefusal } from '../transport/translateError.ts'
import type { Caller } from './tool.ts'

const notThere: readonly RefusalCode[] = ['family_not_found', 'generation_not_found']

/** An error as a protocol error: "resource not found" for an unknown `uri`, else with the refusal of REST as data. */
export function resourceError(error: unknown, { context, requestId }: Caller, uri?: string): ProtocolError {
  if (error instanceof ProtocolError) return error
  const refusal = asRefusal(error, context.log, requestId)
  if (uri !== undefined && notThere.includes(refusal.code)) return new ResourceNotFoundError(uri)
  const code = refusal.http >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, refusal.message, presentRefusal(refusal, context.docUrls))
}
