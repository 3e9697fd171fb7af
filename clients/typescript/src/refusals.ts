// biome-ignore-all format: written by a program, `npm run generate:client`, from the service's table of refusals.
import { ConflictError, CreditsError, KeyError, NotFoundError, PermissionError, RateError, RequestError, ServiceError } from './errorKinds.ts'
import type { DetailsOf } from './refusalDetails.ts'

/** `access_denied`: External access is switched off for this account. Ask whoever runs this service. */
export class AccessDenied extends PermissionError<'access_denied', DetailsOf<'access_denied'>> {}

/** `account_blocked`: This account is blocked. Ask whoever runs this service. */
export class AccountBlocked extends PermissionError<'account_blocked', DetailsOf<'account_blocked'>> {}

/** `cancel_conflict`: The generation changed its state during the cancel. Read it again, then cancel once more. */
export class CancelConflict extends ConflictError<'cancel_conflict', DetailsOf<'cancel_conflict'>> {}

/** `cost_above_limit`: The request costs more than its maxCredits. Raise that, or ask for less. */
export class CostAboveLimit extends CreditsError<'cost_above_limit', DetailsOf<'cost_above_limit'>> {}

/** `credit_reservation_failed`: The credits could not be held. Repeat the request. */
export class CreditReservationFailed extends CreditsError<'credit_reservation_failed', DetailsOf<'credit_reservation_failed'>> {}

/** `family_not_found`: The catalog has no such family. Take the id of one that is listed. */
export class FamilyNotFound extends RequestError<'family_not_found', DetailsOf<'family_not_found'>> {}

/** `family_unavailable`: The family is temporarily unavailable. Repeat later, or choose another. */
export class FamilyUnavailable extends ServiceError<'family_unavailable', DetailsOf<'family_unavailable'>> {}

/** `file_fetch_failed`: The file at the link could not be fetched. Check the link, or send the content. */
export class FileFetchFailed extends ServiceError<'file_fetch_failed', DetailsOf<'file_fetch_failed'>> {}

/** `file_metadata_missing`: The input file has not been measured yet. Repeat in a few seconds. */
export class FileMetadataMissing extends RequestError<'file_metadata_missing', DetailsOf<'file_metadata_missing'>> {}

/** `file_not_found`: There is no such file or generation. Check its identifier, and the kind that the field takes. */
export class FileNotFound extends NotFoundError<'file_not_found', DetailsOf<'file_not_found'>> {}

/** `file_not_ready`: The input is still being processed. Repeat in a few seconds. */
export class FileNotReady extends ConflictError<'file_not_ready', DetailsOf<'file_not_ready'>> {}

/** `file_processing_failed`: The file could not be processed. Save it anew, and send that. */
export class FileProcessingFailed extends RequestError<'file_processing_failed', DetailsOf<'file_processing_failed'>> {}

/** `generation_not_found`: There is no such generation. Check its identifier. */
export class GenerationNotFound extends NotFoundError<'generation_not_found', DetailsOf<'generation_not_found'>> {}

/** `idempotency_conflict`: This Idempotency-Key was used with other parameters. Take a new one for a new request. */
export class IdempotencyConflict extends ConflictError<'idempotency_conflict', DetailsOf<'idempotency_conflict'>> {}

/** `idempotency_in_progress`: The request with this Idempotency-Key is still running. Repeat in a moment. */
export class IdempotencyInProgress extends ConflictError<'idempotency_in_progress', DetailsOf<'idempotency_in_progress'>> {}

/** `insufficient_credits`: The account has too few credits available. Have some added, or ask for less. */
export class InsufficientCredits extends CreditsError<'insufficient_credits', DetailsOf<'insufficient_credits'>> {}

/** `insufficient_scope`: The key lacks the scope that this needs. Use a key that has it. */
export class InsufficientScope extends PermissionError<'insufficient_scope', DetailsOf<'insufficient_scope'>> {}

/** `internal_error`: Something failed on our side. Repeat; if it stays, tell whoever runs this service the X-Request-Id. */
export class InternalError extends ServiceError<'internal_error', DetailsOf<'internal_error'>> {}

/** `invalid_cursor`: The cursor does not come from an earlier response to this query. Leave it out to begin anew. */
export class InvalidCursor extends RequestError<'invalid_cursor', DetailsOf<'invalid_cursor'>> {}

/** `invalid_parameters`: The parameters do not fit the variant. The issues in details say where. */
export class InvalidParameters extends RequestError<'invalid_parameters', DetailsOf<'invalid_parameters'>> {}

/** `invalid_request`: The request is not valid. The issues in details say where. */
export class InvalidRequest extends RequestError<'invalid_request', DetailsOf<'invalid_request'>> {}

/** `invalid_token`: The key does not exist, is revoked or has expired. Use another. */
export class InvalidToken extends KeyError<'invalid_token', DetailsOf<'invalid_token'>> {}

/** `method_not_allowed`: This address does not take that method. The Allow header names those that it takes. */
export class MethodNotAllowed extends RequestError<'method_not_allowed', DetailsOf<'method_not_allowed'>> {}

/** `not_cancellable`: The generation was started in the editor and is cancelled there. */
export class NotCancellable extends ConflictError<'not_cancellable', DetailsOf<'not_cancellable'>> {}

/** `not_found`: There is nothing at this address. */
export class NotFound extends NotFoundError<'not_found', DetailsOf<'not_found'>> {}

/** `payload_too_large`: The content is larger than allowed. Send less. */
export class PayloadTooLarge extends RequestError<'payload_too_large', DetailsOf<'payload_too_large'>> {}

/** `price_unavailable`: No price can be formed for these parameters. Give those that details name as missing. */
export class PriceUnavailable extends RequestError<'price_unavailable', DetailsOf<'price_unavailable'>> {}

/** `queue_unavailable`: The generation queue is unavailable. Nothing was started; repeat in a few seconds. */
export class QueueUnavailable extends ServiceError<'queue_unavailable', DetailsOf<'queue_unavailable'>> {}

/** `rate_limited`: Too many requests in this minute. Wait as long as Retry-After says. */
export class RateLimited extends RateError<'rate_limited', DetailsOf<'rate_limited'>> {}

/** `service_unavailable`: The service is temporarily unavailable. Repeat in a few seconds. */
export class ServiceUnavailable extends ServiceError<'service_unavailable', DetailsOf<'service_unavailable'>> {}

/** `spend_limit_exceeded`: A spend ceiling of the key stands in the way. Use another key, or ask for less. */
export class SpendLimitExceeded extends PermissionError<'spend_limit_exceeded', DetailsOf<'spend_limit_exceeded'>> {}

/** `subscription_required`: The family needs an active subscription. Ask whoever runs this service. */
export class SubscriptionRequired extends PermissionError<'subscription_required', DetailsOf<'subscription_required'>> {}

/** `team_expired`: The team's plan has ended. Ask whoever runs this service. */
export class TeamExpired extends PermissionError<'team_expired', DetailsOf<'team_expired'>> {}

/** `team_required`: This access goes with a team. Use a key that was issued for one. */
export class TeamRequired extends PermissionError<'team_required', DetailsOf<'team_required'>> {}

/** `too_many_concurrent`: Too many requests are in progress at once. Let some of them end first. */
export class TooManyConcurrent extends RateError<'too_many_concurrent', DetailsOf<'too_many_concurrent'>> {}

/** `too_many_open`: The team has too many open generations in this family. Let some of them end first. */
export class TooManyOpen extends RateError<'too_many_open', DetailsOf<'too_many_open'>> {}

/** `unauthorized`: The request carries no key. Send the header Authorization: Bearer <key>. */
export class Unauthorized extends KeyError<'unauthorized', DetailsOf<'unauthorized'>> {}

/** `unsupported_content_type`: This endpoint does not take that content type. Send one that details allow. */
export class UnsupportedContentType extends RequestError<'unsupported_content_type', DetailsOf<'unsupported_content_type'>> {}

/** `unsupported_file_format`: The content is of no accepted format. Send one that details allow. */
export class UnsupportedFileFormat extends RequestError<'unsupported_file_format', DetailsOf<'unsupported_file_format'>> {}

/** `variant_not_resolved`: No variant takes this set of inputs. Compare it with those in details. */
export class VariantNotResolved extends RequestError<'variant_not_resolved', DetailsOf<'variant_not_resolved'>> {}
