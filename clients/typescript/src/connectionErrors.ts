import { AtelierError, type AtelierErrorFields } from './atelierError.ts'
import { ConnectionError } from './errorKinds.ts'

/** The service could not be reached, or the connection broke before the whole answer was there. */
export class ConnectionFailed extends ConnectionError<'connection_failed', Record<string, never>> {
  constructor(cause: unknown) {
    super({ code: 'connection_failed', message: 'The service could not be reached.', status: 0, retryable: true, cause })
  }
}

/** What was asked for did not come, or what was waited for did not happen, within its time. */
export class TimedOut extends ConnectionError<'timed_out', { generationId?: string; fileId?: string }> {
  constructor(message: string, details: TimedOut['details'] = {}) {
    super({ code: 'timed_out', message, status: 0, retryable: true, details })
  }
}

type AnswerFields = Pick<AtelierErrorFields, 'requestId' | 'retryAfterSeconds'> & { status: number }

/** Something answered that is not the service, such as a proxy on the way; its `kind` is that of the status. */
export class UnexpectedAnswer extends AtelierError<'unexpected_answer', Record<string, never>> {
  constructor({ status, ...fields }: AnswerFields) {
    const message = `Something answered with ${status} that is not the service.`
    super({ ...fields, code: 'unexpected_answer', message, status, retryable: status === 408 || status === 429 || status >= 500 })
  }
}
