import type { AtelierError } from '../errors/atelierError.ts'
import { UnexpectedAnswerError } from '../errors/connectionErrors.ts'
import { errorOf } from '../errors/errorOf.ts'
import type { Refusal, RefusalError } from '../openapi.ts'

/**
 * Reads the JSON of a successful response, `undefined` without a body. Throws AtelierError for a refusal, and for a response that is not
 * from the service.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const value = parsed(await response.text())
  if (response.ok && value !== undefined) return value
  throw errorIn(response, value)
}

/** The error of a response that is not a success, or not of the expected type. */
export async function readError(response: Response): Promise<AtelierError> {
  return errorIn(response, parsed(await response.text()))
}

function errorIn(response: Response, value: unknown): AtelierError {
  const { status, headers } = response
  const common = { status, requestId: headers.get('x-request-id') ?? undefined, retryAfterSeconds: retryAfterOf(headers) }
  return !response.ok && isRefusal(value) ? errorOf({ ...common, ...value.error }) : new UnexpectedAnswerError(common)
}

/** True when the service itself refused, so that nothing was done. */
export function isFromService(error: AtelierError): boolean {
  return error.status !== 0 && error.code !== 'unexpected_answer'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Older services do not send `docUrl`. */
function isRefusal(value: unknown): value is { error: Omit<RefusalError, 'docUrl'> & { docUrl?: string } } {
  const error = (value as Partial<Refusal> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string' && typeof error.retryable === 'boolean'
}

/** Parses seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000)
}
