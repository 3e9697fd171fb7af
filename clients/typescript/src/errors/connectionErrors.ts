import { AtelierError, type AtelierErrorFields } from './atelierError.ts'
import { ConnectionError } from './errorKinds.ts'

/** The service could not be reached, or the connection broke before the response was complete. */
export class ConnectionFailed extends ConnectionError<'connection_failed', Record<string, never>> {
  constructor(cause: unknown) {
    super({ code: 'connection_failed', message: 'The service could not be reached.', status: 0, retryable: true, cause })
  }
}

/** The response, or the awaited event, did not come in time. */
export class TimedOut extends ConnectionError<'timed_out', { generationId?: string; fileId?: string }> {
  constructor(message: string, details: TimedOut['details'] = {}) {
    super({ code: 'timed_out', message, status: 0, retryable: true, details })
  }
}

type AnswerFields = Pick<AtelierErrorFields, 'requestId' | 'retryAfterSeconds'> & { status: number }

/** The response is not from the service but, for example, from a proxy. Its `kind` is that of the status. */
export class UnexpectedAnswer extends AtelierError<'unexpected_answer', Record<string, never>> {
  constructor({ status, ...fields }: AnswerFields) {
    const message = `Something answered with ${status} that is not the service.`
    super({ ...fields, code: 'unexpected_answer', message, status, retryable: status === 408 || status === 429 || status >= 500 })
  }
}
