import { AtelierError, type AtelierErrorFields } from './atelierError.ts'
import { describeCause } from './describeCause.ts'
import { NoAnswerError } from './errorKinds.ts'

/** The service could not be reached, or the connection broke before the response was complete. `where` names the address and its origin. */
export class ConnectionFailedError extends NoAnswerError<'connection_failed', Record<string, never>> {
  constructor(cause: unknown, where = '') {
    const reason = describeCause(cause)
    const message = `The service could not be reached${where}${reason === undefined || reason === '' ? '' : ` (${reason})`}.`
    super({ code: 'connection_failed', message, status: 0, retryable: true, cause })
  }
}

/** The response, or the awaited event, did not come in time. */
export class TimedOutError extends NoAnswerError<'timed_out', { generationId?: string; fileId?: string }> {
  constructor(message: string, details: TimedOutError['details'] = {}) {
    super({ code: 'timed_out', message, status: 0, retryable: true, details })
  }

  /** The generation that has not ended yet; absent when the service has not answered the start. */
  get generationId(): string | undefined {
    return this.details.generationId
  }
}

type AnswerFields = Pick<AtelierErrorFields, 'requestId' | 'retryAfterSeconds'> & { status: number }

/** The response is not from the service but, for example, from a proxy. Its `kind` is that of the status. */
export class UnexpectedAnswerError extends AtelierError<'unexpected_answer', Record<string, never>> {
  constructor({ status, ...fields }: AnswerFields) {
    const message = `Something answered with ${status} that is not the service.`
    super({ ...fields, code: 'unexpected_answer', message, status, retryable: status === 408 || status === 429 || status >= 500 })
  }
}
