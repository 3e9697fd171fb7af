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
    """`access_denied`: External access is disabled for this account. Ask the operator of this
    service.
    """


class AccountBlocked(NotPermittedError):
    """`account_blocked`: This account is blocked. Ask the operator of this service."""


class CancelConflict(ConflictError):
    """`cancel_conflict`: The generation changed its state during the cancel. Read it again,
    then repeat the cancel.
    """


class CostAboveLimit(CreditsError):
    """`cost_above_limit`: The request costs more than its maxCredits. Raise maxCredits, or
    choose cheaper parameters.
    """


class CreditReservationFailed(CreditsError):
    """`credit_reservation_failed`: The credits could not be reserved. Repeat the request."""


class FamilyNotFound(RequestError):
    """`family_not_found`: The catalog has no such family. Use an id from the list of families.
    """


class FamilyUnavailable(ServiceError):
    """`family_unavailable`: The family is temporarily unavailable. Repeat later, or choose
    another family.
    """


class FileFetchFailed(ServiceError):
    """`file_fetch_failed`: The file could not be downloaded from the link. Check the link, or
    upload the content.
    """


class FileMetadataMissing(RequestError):
    """`file_metadata_missing`: The service has not measured the input file yet. Repeat in a few
    seconds.
    """


class FileNotFound(NotFoundError):
    """`file_not_found`: The file or generation does not exist, or has the wrong type for this
    field. Check its identifier and type.
    """


class FileNotReady(ConflictError):
    """`file_not_ready`: The input is not ready yet. Repeat in a few seconds."""


class FileProcessingFailed(RequestError):
    """`file_processing_failed`: The file could not be processed. Export it again, and upload
    the new file.
    """


class GenerationNotFound(NotFoundError):
    """`generation_not_found`: The generation does not exist. Check its identifier."""


class IdempotencyConflict(ConflictError):
    """`idempotency_conflict`: This Idempotency-Key was used with another request. Use a new key
    for a new request.
    """


class IdempotencyInProgress(ConflictError):
    """`idempotency_in_progress`: The first request with this Idempotency-Key is still in
    progress. Repeat in a few seconds.
    """


class InsufficientCredits(CreditsError):
    """`insufficient_credits`: The account has too few credits available. Add credits, or choose
    a cheaper request.
    """


class InsufficientScope(NotPermittedError):
    """`insufficient_scope`: The key lacks the required scope. Use a key with that scope."""


class InternalError(ServiceError):
    """`internal_error`: The service failed. Repeat the request. If it fails again, send the
    X-Request-Id to the operator of this service.
    """


class InvalidCursor(RequestError):
    """`invalid_cursor`: The cursor does not belong to this list and filter. Remove it to start
    at the first page.
    """


class InvalidParameters(RequestError):
    """`invalid_parameters`: The parameters do not match the variant. See the issues in details.
    """


class InvalidRequest(RequestError):
    """`invalid_request`: The request is not valid. See the issues in details."""


class InvalidToken(ApiKeyError):
    """`invalid_token`: The key does not exist, is revoked or has expired. Use another key."""


class MethodNotAllowed(RequestError):
    """`method_not_allowed`: This address does not support the method. Use a method from the
    Allow header.
    """


class NotCancellable(ConflictError):
    """`not_cancellable`: The editor started this generation. Cancel it in the editor."""


class NotFound(NotFoundError):
    """`not_found`: Nothing exists at this address. Check the address."""


class PayloadTooLarge(RequestError):
    """`payload_too_large`: The content is too large. Send at most the maxBytes in details."""


class PriceUnavailable(RequestError):
    """`price_unavailable`: The price depends on parameters that the request does not set. Set
    the missing parameters in details.
    """


class QueueUnavailable(ServiceError):
    """`queue_unavailable`: The generation queue is unavailable, and nothing was started. Repeat
    in a few seconds.
    """


class RateLimited(RateError):
    """`rate_limited`: You sent too many requests in this minute. Wait for the seconds in
    Retry-After.
    """


class ServiceUnavailable(ServiceError):
    """`service_unavailable`: The service is temporarily unavailable. Repeat in a few seconds.
    """


class SpendLimitExceeded(NotPermittedError):
    """`spend_limit_exceeded`: The request exceeds a spend ceiling of the key. Use another key,
    or choose a cheaper request.
    """


class SubscriptionRequired(NotPermittedError):
    """`subscription_required`: The family needs an active subscription. Ask the operator of
    this service.
    """


class TeamExpired(NotPermittedError):
    """`team_expired`: The team's plan has ended. Ask the operator of this service."""


class TeamRequired(NotPermittedError):
    """`team_required`: This access requires a team. Use a key of a team."""


class TooManyConcurrent(RateError):
    """`too_many_concurrent`: Too many requests are in progress. Wait until some of them end."""


class TooManyOpen(RateError):
    """`too_many_open`: The team has too many open generations in this family. Wait until some
    of them end.
    """


class Unauthorized(ApiKeyError):
    """`unauthorized`: The request has no key. Send the header Authorization: Bearer <key>."""


class UnsupportedContentType(RequestError):
    """`unsupported_content_type`: This endpoint does not support the content type. Use a
    content type from details.
    """


class UnsupportedFileFormat(RequestError):
    """`unsupported_file_format`: The file format is not supported. Use a format from details.
    """


class VariantNotResolved(RequestError):
    """`variant_not_resolved`: No variant takes this combination of inputs. Compare it with the
    variants in details.
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
