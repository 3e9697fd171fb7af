// biome-ignore-all format: written by a program, `npm run generate:client`, from the service's table of refusals.
import { ApiKeyError, ConflictError, CreditsError, NotFoundError, NotPermittedError, RateError, RequestError, ServiceError } from './errorKinds.ts'
import type { DetailsOf } from './refusalDetails.ts'

/** `access_denied`: External access is disabled for this account. Ask the operator of this service. */
export class AccessDeniedError extends NotPermittedError<'access_denied', DetailsOf<'access_denied'>> {}

/** `account_blocked`: This account is blocked. Ask the operator of this service. */
export class AccountBlockedError extends NotPermittedError<'account_blocked', DetailsOf<'account_blocked'>> {}

/** `cancel_conflict`: The generation changed its state during the cancel. Read it again, then repeat the cancel. */
export class CancelConflictError extends ConflictError<'cancel_conflict', DetailsOf<'cancel_conflict'>> {}

/** `cost_above_limit`: The request costs more than its maxCredits. Raise maxCredits, or choose cheaper parameters. */
export class CostAboveLimitError extends CreditsError<'cost_above_limit', DetailsOf<'cost_above_limit'>> {}

/** `credit_reservation_failed`: The credits could not be reserved. Repeat the request. */
export class CreditReservationFailedError extends CreditsError<'credit_reservation_failed', DetailsOf<'credit_reservation_failed'>> {}

/** `family_not_found`: The catalog has no such family. Use an id from the list of families. */
export class FamilyNotFoundError extends RequestError<'family_not_found', DetailsOf<'family_not_found'>> {}

/** `family_unavailable`: The family is temporarily unavailable. Repeat later, or choose another family. */
export class FamilyUnavailableError extends ServiceError<'family_unavailable', DetailsOf<'family_unavailable'>> {}

/** `file_fetch_failed`: The file could not be downloaded from the link. Check the link, or upload the content. */
export class FileFetchFailedError extends ServiceError<'file_fetch_failed', DetailsOf<'file_fetch_failed'>> {}

/** `file_metadata_missing`: The service has not measured the input file yet. Repeat in a few seconds. */
export class FileMetadataMissingError extends RequestError<'file_metadata_missing', DetailsOf<'file_metadata_missing'>> {}

/** `file_not_found`: The file or generation does not exist, or has the wrong type for this field. Check its identifier and type. */
export class FileNotFoundError extends NotFoundError<'file_not_found', DetailsOf<'file_not_found'>> {}

/** `file_not_ready`: The input is not ready yet. Repeat in a few seconds. */
export class FileNotReadyError extends ConflictError<'file_not_ready', DetailsOf<'file_not_ready'>> {}

/** `file_processing_failed`: The file could not be processed. Export it again, and upload the new file. */
export class FileProcessingFailedError extends RequestError<'file_processing_failed', DetailsOf<'file_processing_failed'>> {}

/** `file_quota_exceeded`: There is no room for more unused files. Use some in a generation, or delete some. */
export class FileQuotaExceededError extends ConflictError<'file_quota_exceeded', DetailsOf<'file_quota_exceeded'>> {}

/** `generation_not_found`: The generation does not exist. Check its identifier. */
export class GenerationNotFoundError extends NotFoundError<'generation_not_found', DetailsOf<'generation_not_found'>> {}

/** `idempotency_conflict`: This Idempotency-Key was used with another request. Use a new key for a new request. */
export class IdempotencyConflictError extends ConflictError<'idempotency_conflict', DetailsOf<'idempotency_conflict'>> {}

/** `idempotency_in_progress`: The first request with this Idempotency-Key is still in progress. Repeat in a few seconds. */
export class IdempotencyInProgressError extends ConflictError<'idempotency_in_progress', DetailsOf<'idempotency_in_progress'>> {}

/** `insufficient_credits`: The account has too few credits available. Add credits, or choose a cheaper request. */
export class InsufficientCreditsError extends CreditsError<'insufficient_credits', DetailsOf<'insufficient_credits'>> {}

/** `insufficient_scope`: The key lacks the required scope. Use a key with that scope. */
export class InsufficientScopeError extends NotPermittedError<'insufficient_scope', DetailsOf<'insufficient_scope'>> {}

/** `internal_error`: The service failed. Repeat the request. If it fails again, send the X-Request-Id to the operator of this service. */
export class InternalError extends ServiceError<'internal_error', DetailsOf<'internal_error'>> {}

/** `invalid_cursor`: The cursor does not belong to this list and filter. Remove it to start at the first page. */
export class InvalidCursorError extends RequestError<'invalid_cursor', DetailsOf<'invalid_cursor'>> {}

/** `invalid_parameters`: The parameters do not match the variant. See the issues in details. */
export class InvalidParametersError extends RequestError<'invalid_parameters', DetailsOf<'invalid_parameters'>> {}

/** `invalid_request`: The request is not valid. See the issues in details. */
export class InvalidRequestError extends RequestError<'invalid_request', DetailsOf<'invalid_request'>> {}

/** `invalid_token`: The key does not exist, is revoked or has expired. Use another key. */
export class InvalidTokenError extends ApiKeyError<'invalid_token', DetailsOf<'invalid_token'>> {}

/** `method_not_allowed`: This address does not support the method. Use a method from the Allow header. */
export class MethodNotAllowedError extends RequestError<'method_not_allowed', DetailsOf<'method_not_allowed'>> {}

/** `not_cancellable`: The editor started this generation. Cancel it in the editor. */
export class NotCancellableError extends ConflictError<'not_cancellable', DetailsOf<'not_cancellable'>> {}

/** `not_found`: Nothing exists at this address. Check the address. */
export class AddressNotFoundError extends NotFoundError<'not_found', DetailsOf<'not_found'>> {}

/** `payload_too_large`: The content is too large. Send at most the maxBytes in details. */
export class PayloadTooLargeError extends RequestError<'payload_too_large', DetailsOf<'payload_too_large'>> {}

/** `price_unavailable`: The price depends on parameters that the request does not set. Set the missing parameters in details. */
export class PriceUnavailableError extends RequestError<'price_unavailable', DetailsOf<'price_unavailable'>> {}

/** `queue_unavailable`: The generation queue is unavailable, and nothing was started. Repeat in a few seconds. */
export class QueueUnavailableError extends ServiceError<'queue_unavailable', DetailsOf<'queue_unavailable'>> {}

/** `rate_limited`: You sent too many requests in this minute. Wait for the seconds in Retry-After. */
export class RateLimitedError extends RateError<'rate_limited', DetailsOf<'rate_limited'>> {}

/** `service_unavailable`: The service is temporarily unavailable. Repeat in a few seconds. */
export class ServiceUnavailableError extends ServiceError<'service_unavailable', DetailsOf<'service_unavailable'>> {}

/** `spend_limit_exceeded`: The request exceeds a spend ceiling of the key. Use another key, or choose a cheaper request. */
export class SpendLimitExceededError extends CreditsError<'spend_limit_exceeded', DetailsOf<'spend_limit_exceeded'>> {}

/** `subscription_required`: The family needs an active subscription. Ask the operator of this service. */
export class SubscriptionRequiredError extends NotPermittedError<'subscription_required', DetailsOf<'subscription_required'>> {}

/** `team_expired`: The team's plan has ended. Ask the operator of this service. */
export class TeamExpiredError extends NotPermittedError<'team_expired', DetailsOf<'team_expired'>> {}

/** `team_required`: This access requires a team. Use a key of a team. */
export class TeamRequiredError extends NotPermittedError<'team_required', DetailsOf<'team_required'>> {}

/** `too_many_concurrent`: Too many requests are in progress. Wait until some of them end. */
export class TooManyConcurrentError extends RateError<'too_many_concurrent', DetailsOf<'too_many_concurrent'>> {}

/** `too_many_open`: The team has too many open generations in this family. Wait until some of them end. */
export class TooManyOpenError extends RateError<'too_many_open', DetailsOf<'too_many_open'>> {}

/** `unauthorized`: The request has no key. Send the header Authorization: Bearer <key>. */
export class UnauthorizedError extends ApiKeyError<'unauthorized', DetailsOf<'unauthorized'>> {}

/** `unsupported_content_type`: This endpoint does not support the content type. Use a content type from details. */
export class UnsupportedContentTypeError extends RequestError<'unsupported_content_type', DetailsOf<'unsupported_content_type'>> {}

/** `unsupported_file_format`: The file format is not supported. Use a format from details. */
export class UnsupportedFileFormatError extends RequestError<'unsupported_file_format', DetailsOf<'unsupported_file_format'>> {}

/** `variant_not_resolved`: No variant takes this combination of inputs. Compare it with the variants in details. */
export class VariantNotResolvedError extends RequestError<'variant_not_resolved', DetailsOf<'variant_not_resolved'>> {}

// The names before 1.0.0.
export {
  AccessDeniedError as AccessDenied,
  AccountBlockedError as AccountBlocked,
  AddressNotFoundError as NotFound,
  CancelConflictError as CancelConflict,
  CostAboveLimitError as CostAboveLimit,
  CreditReservationFailedError as CreditReservationFailed,
  FamilyNotFoundError as FamilyNotFound,
  FamilyUnavailableError as FamilyUnavailable,
  FileFetchFailedError as FileFetchFailed,
  FileMetadataMissingError as FileMetadataMissing,
  FileNotFoundError as FileNotFound,
  FileNotReadyError as FileNotReady,
  FileProcessingFailedError as FileProcessingFailed,
  FileQuotaExceededError as FileQuotaExceeded,
  GenerationNotFoundError as GenerationNotFound,
  IdempotencyConflictError as IdempotencyConflict,
  IdempotencyInProgressError as IdempotencyInProgress,
  InsufficientCreditsError as InsufficientCredits,
  InsufficientScopeError as InsufficientScope,
  InvalidCursorError as InvalidCursor,
  InvalidParametersError as InvalidParameters,
  InvalidRequestError as InvalidRequest,
  InvalidTokenError as InvalidToken,
  MethodNotAllowedError as MethodNotAllowed,
  NotCancellableError as NotCancellable,
  PayloadTooLargeError as PayloadTooLarge,
  PriceUnavailableError as PriceUnavailable,
  QueueUnavailableError as QueueUnavailable,
  RateLimitedError as RateLimited,
  ServiceUnavailableError as ServiceUnavailable,
  SpendLimitExceededError as SpendLimitExceeded,
  SubscriptionRequiredError as SubscriptionRequired,
  TeamExpiredError as TeamExpired,
  TeamRequiredError as TeamRequired,
  TooManyConcurrentError as TooManyConcurrent,
  TooManyOpenError as TooManyOpen,
  UnauthorizedError as Unauthorized,
  UnsupportedContentTypeError as UnsupportedContentType,
  UnsupportedFileFormatError as UnsupportedFileFormat,
  VariantNotResolvedError as VariantNotResolved,
}
