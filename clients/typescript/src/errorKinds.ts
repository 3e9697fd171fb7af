import { AtelierError, type ErrorCode, type ErrorKind } from './atelierError.ts'
import type { RefusalDetails } from './openapi.ts'

/** The request itself is at fault: a repeat says the same. */
export class RequestError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'request'
}

/** No key, or one that does not exist, is revoked or has expired. */
export class KeyError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'key'
}

/** Credits stand in the way. */
export class CreditsError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'credits'
}

/** The key, its team or its owner may not do this. */
export class PermissionError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'permission'
}

/** There is no such thing, or it is somebody else's. */
export class NotFoundError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'not_found'
}

/** Something else happened to it first, or happens to it right now. */
export class ConflictError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'conflict'
}

/** Too much at once. */
export class RateError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'rate'
}

/** The service, or what it depends on, has a fault. */
export class ServiceError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'service'
}

/** No answer came. */
export class ConnectionError<Code extends string = ErrorCode, Details = RefusalDetails> extends AtelierError<Code, Details> {
  declare readonly kind: 'connection'
}

/** What a refusal with a code of a later release is. */
export const classByKind = {
  request: RequestError,
  key: KeyError,
  credits: CreditsError,
  permission: PermissionError,
  not_found: NotFoundError,
  conflict: ConflictError,
  rate: RateError,
  service: ServiceError,
  connection: ConnectionError,
} as const satisfies Record<ErrorKind, typeof AtelierError>
