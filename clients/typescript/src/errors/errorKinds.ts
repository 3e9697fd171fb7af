import type { RefusalDetails } from '../openapi.ts'
import { AtelierError, type ErrorCode, type ErrorKind } from './atelierError.ts'

/** The request itself is wrong. A repeat has the same result. */
export class RequestError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'request'
}

/** The key is missing, unknown, revoked or expired. */
export class ApiKeyError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'key'
}

/** There are too few credits, or a ceiling is exceeded. */
export class CreditsError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'credits'
}

/** The key, its team or its owner may not do this. */
export class NotPermittedError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'permission'
}

/** The object does not exist, or belongs to another team. */
export class NotFoundError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'not_found'
}

/** The request conflicts with an earlier or concurrent change. */
export class ConflictError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'conflict'
}

/** Too many requests, or too much concurrent work. */
export class RateError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'rate'
}

/** The service, or a dependency of it, has an error. */
export class ServiceError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'service'
}

/** There was no response. */
export class NoAnswerError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'connection'
}

/** The classes of refusals with unknown codes. */
export const classByKind = {
  request: RequestError,
  key: ApiKeyError,
  credits: CreditsError,
  permission: NotPermittedError,
  not_found: NotFoundError,
  conflict: ConflictError,
  rate: RateError,
  service: ServiceError,
  connection: NoAnswerError,
} as const satisfies Record<ErrorKind, typeof AtelierError>
