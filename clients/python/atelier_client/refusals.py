"""The refusals as errors, by their codes.

Written by a program, `npm run generate:python`, from the table of refusals of the service.
"""

from .errors import (
    ApiKeyError,
    AtelierError,
    ConflictError,
    CreditsError,
    NotFoundError,
    NotPermittedError,
    RateError,
    RequestError,
    ServiceError,
)

__all__ = [
    "AccessDenied",
    "AccountBlocked",
    "CancelConflict",
    "CostAboveLimit",
    "CreditReservationFailed",
    "FamilyNotFound",
    "FamilyUnavailable",
    "FileFetchFailed",
    "FileMetadataMissing",
    "FileNotFound",
    "FileNotReady",
    "FileProcessingFailed",
    "GenerationNotFound",
    "IdempotencyConflict",
    "IdempotencyInProgress",
    "InsufficientCredits",
    "InsufficientScope",
    "InternalError",
    "InvalidCursor",
    "InvalidParameters",
    "InvalidRequest",
    "InvalidToken",
    "MethodNotAllowed",
    "NotCancellable",
    "NotFound",
    "PayloadTooLarge",
    "PriceUnavailable",
    "QueueUnavailable",
    "RateLimited",
    "ServiceUnavailable",
    "SpendLimitExceeded",
    "SubscriptionRequired",
    "TeamExpired",
    "TeamRequired",
    "TooManyConcurrent",
    "TooManyOpen",
    "Unauthorized",
    "UnsupportedContentType",
    "UnsupportedFileFormat",
    "VariantNotResolved",
]


class AccessDenied(NotPermittedError):
    """`access_denied`: External access is switched off for this account. Ask whoever runs this
    service.
    """


class AccountBlocked(NotPermittedError):
    """`account_blocked`: This account is blocked. Ask whoever runs this service."""


class CancelConflict(ConflictError):
    """`cancel_conflict`: The generation changed its state during the cancel. Read it again,
    then cancel once more.
    """


class CostAboveLimit(CreditsError):
    """`cost_above_limit`: The request costs more than its maxCredits. Raise that, or ask for
    less.
    """


class CreditReservationFailed(CreditsError):
    """`credit_reservation_failed`: The credits could not be held. Repeat the request."""


class FamilyNotFound(RequestError):
    """`family_not_found`: The catalog has no such family. Take the id of one that is listed."""


class FamilyUnavailable(ServiceError):
    """`family_unavailable`: The family is temporarily unavailable. Repeat later, or choose
    another.
    """


class FileFetchFailed(ServiceError):
    """`file_fetch_failed`: The file at the link could not be fetched. Check the link, or send
    the content.
    """


class FileMetadataMissing(RequestError):
    """`file_metadata_missing`: The input file has not been measured yet. Repeat in a few
    seconds.
    """


class FileNotFound(NotFoundError):
    """`file_not_found`: There is no such file or generation. Check its identifier, and the kind
    that the field takes.
    """


class FileNotReady(ConflictError):
    """`file_not_ready`: The input is still being processed. Repeat in a few seconds."""


class FileProcessingFailed(RequestError):
    """`file_processing_failed`: The file could not be processed. Save it anew, and send that.
    """


class GenerationNotFound(NotFoundError):
    """`generation_not_found`: There is no such generation. Check its identifier."""


class IdempotencyConflict(ConflictError):
    """`idempotency_conflict`: This Idempotency-Key was used with other parameters. Take a new
    one for a new request.
    """


class IdempotencyInProgress(ConflictError):
    """`idempotency_in_progress`: The request with this Idempotency-Key is still running. Repeat
    in a moment.
    """


class InsufficientCredits(CreditsError):
    """`insufficient_credits`: The account has too few credits available. Have some added, or
    ask for less.
    """


class InsufficientScope(NotPermittedError):
    """`insufficient_scope`: The key lacks the scope that this needs. Use a key that has it."""


class InternalError(ServiceError):
    """`internal_error`: Something failed on our side. Repeat; if it stays, tell whoever runs
    this service the X-Request-Id.
    """


class InvalidCursor(RequestError):
    """`invalid_cursor`: The cursor does not come from an earlier response to this query. Leave
    it out to begin anew.
    """


class InvalidParameters(RequestError):
    """`invalid_parameters`: The parameters do not fit the variant. The issues in details say
    where.
    """


class InvalidRequest(RequestError):
    """`invalid_request`: The request is not valid. The issues in details say where."""


class InvalidToken(ApiKeyError):
    """`invalid_token`: The key does not exist, is revoked or has expired. Use another."""


class MethodNotAllowed(RequestError):
    """`method_not_allowed`: This address does not take that method. The Allow header names
    those that it takes.
    """


class NotCancellable(ConflictError):
    """`not_cancellable`: The generation was started in the editor and is cancelled there."""


class NotFound(NotFoundError):
    """`not_found`: There is nothing at this address."""


class PayloadTooLarge(RequestError):
    """`payload_too_large`: The content is larger than allowed. Send less."""


class PriceUnavailable(RequestError):
    """`price_unavailable`: No price can be formed for these parameters. Give those that details
    name as missing.
    """


class QueueUnavailable(ServiceError):
    """`queue_unavailable`: The generation queue is unavailable. Nothing was started; repeat in
    a few seconds.
    """


class RateLimited(RateError):
    """`rate_limited`: Too many requests in this minute. Wait as long as Retry-After says."""


class ServiceUnavailable(ServiceError):
    """`service_unavailable`: The service is temporarily unavailable. Repeat in a few seconds.
    """


class SpendLimitExceeded(NotPermittedError):
    """`spend_limit_exceeded`: A spend ceiling of the key stands in the way. Use another key, or
    ask for less.
    """


class SubscriptionRequired(NotPermittedError):
    """`subscription_required`: The family needs an active subscription. Ask whoever runs this
    service.
    """


class TeamExpired(NotPermittedError):
    """`team_expired`: The team's plan has ended. Ask whoever runs this service."""


class TeamRequired(NotPermittedError):
    """`team_required`: This access goes with a team. Use a key that was issued for one."""


class TooManyConcurrent(RateError):
    """`too_many_concurrent`: Too many requests are in progress at once. Let some of them end
    first.
    """


class TooManyOpen(RateError):
    """`too_many_open`: The team has too many open generations in this family. Let some of them
    end first.
    """


class Unauthorized(ApiKeyError):
    """`unauthorized`: The request carries no key. Send the header Authorization: Bearer <key>.
    """


class UnsupportedContentType(RequestError):
    """`unsupported_content_type`: This endpoint does not take that content type. Send one that
    details allow.
    """


class UnsupportedFileFormat(RequestError):
    """`unsupported_file_format`: The content is of no accepted format. Send one that details
    allow.
    """


class VariantNotResolved(RequestError):
    """`variant_not_resolved`: No variant takes this set of inputs. Compare it with those in
    details.
    """


BY_CODE: dict[str, type[AtelierError]] = {
    "access_denied": AccessDenied,
    "account_blocked": AccountBlocked,
    "cancel_conflict": CancelConflict,
    "cost_above_limit": CostAboveLimit,
    "credit_reservation_failed": CreditReservationFailed,
    "family_not_found": FamilyNotFound,
    "family_unavailable": FamilyUnavailable,
    "file_fetch_failed": FileFetchFailed,
    "file_metadata_missing": FileMetadataMissing,
    "file_not_found": FileNotFound,
    "file_not_ready": FileNotReady,
    "file_processing_failed": FileProcessingFailed,
    "generation_not_found": GenerationNotFound,
    "idempotency_conflict": IdempotencyConflict,
    "idempotency_in_progress": IdempotencyInProgress,
    "insufficient_credits": InsufficientCredits,
    "insufficient_scope": InsufficientScope,
    "internal_error": InternalError,
    "invalid_cursor": InvalidCursor,
    "invalid_parameters": InvalidParameters,
    "invalid_request": InvalidRequest,
    "invalid_token": InvalidToken,
    "method_not_allowed": MethodNotAllowed,
    "not_cancellable": NotCancellable,
    "not_found": NotFound,
    "payload_too_large": PayloadTooLarge,
    "price_unavailable": PriceUnavailable,
    "queue_unavailable": QueueUnavailable,
    "rate_limited": RateLimited,
    "service_unavailable": ServiceUnavailable,
    "spend_limit_exceeded": SpendLimitExceeded,
    "subscription_required": SubscriptionRequired,
    "team_expired": TeamExpired,
    "team_required": TeamRequired,
    "too_many_concurrent": TooManyConcurrent,
    "too_many_open": TooManyOpen,
    "unauthorized": Unauthorized,
    "unsupported_content_type": UnsupportedContentType,
    "unsupported_file_format": UnsupportedFileFormat,
    "variant_not_resolved": VariantNotResolved,
}
