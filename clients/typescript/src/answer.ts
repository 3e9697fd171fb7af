import { AtelierError } from './atelierError.ts'
import type { Refusal } from './openapi.ts'

/** The JSON of a good answer. Throws AtelierError for a refusal, and for what does not come from the service. */
export async function readAnswer(response: Response): Promise<unknown> {
  const value = parsed(await response.text())
  if (response.ok && value !== undefined) return value
  throw errorOf(response, value)
}

/** The error that a response which is no success stands for; `value` is its JSON, if it was any. */
export function errorOf(response: Response, value: unknown): AtelierError {
  const { status, headers } = response
  const common = { status, requestId: headers.get('x-request-id') ?? undefined, retryAfterSeconds: retryAfterOf(headers) }
  if (!response.ok && isRefusal(value)) return new AtelierError({ ...common, ...value.error })
  return new AtelierError({
    ...common,
    code: 'unexpected_answer',
    message: `Something answered with ${status} that is not the service.`,
    retryable: status === 408 || status === 429 || status >= 500,
  })
}

/** Whether the service itself said no, so that nothing has been done. */
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

function isRefusal(value: unknown): value is Refusal {
  const error = (value as Partial<Refusal> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string' && typeof error.retryable === 'boolean'
}

/** Seconds, or the moment at which to come back. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000)
}
