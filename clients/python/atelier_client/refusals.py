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
    "AccessDeniedError",
    "AccountBlocked",
    "AccountBlockedError",
    "AddressNotFoundError",
    "CancelConflict",
    "CancelConflictError",
    "CostAboveLimit",
    "CostAboveLimitError",
    "CreditReservationFailed",
    "CreditReservationFailedError",
    "FamilyNotFound",
    "FamilyNotFoundError",
    "FamilyUnavailable",
    "FamilyUnavailableError",
    "FileFetchFailed",
    "FileFetchFailedError",
    "FileMetadataMissing",
    "FileMetadataMissingError",
    "FileNotFound",
    "FileNotFoundError",
    "FileNotReady",
    "FileNotReadyError",
    "FileProcessingFailed",
    "FileProcessingFailedError",
    "FileQuotaExceeded",
    "FileQuotaExceededError",
    "GenerationNotFound",
    "GenerationNotFoundError",
    "IdempotencyConflict",
    "IdempotencyConflictError",
    "IdempotencyInProgress",
    "IdempotencyInProgressError",
    "InsufficientCredits",
    "InsufficientCreditsError",
    "InsufficientScope",
    "InsufficientScopeError",
    "InternalError",
    "InvalidCursor",
    "InvalidCursorError",
    "InvalidParameters",
    "InvalidParametersError",
    "InvalidRequest",
    "InvalidRequestError",
    "InvalidToken",
    "InvalidTokenError",
    "MethodNotAllowed",
    "MethodNotAllowedError",
    "NotCancellable",
    "NotCancellableError",
    "NotFound",
    "PayloadTooLarge",
    "PayloadTooLargeError",
    "PriceUnavailable",
    "PriceUnavailableError",
    "QueueUnavailable",
    "QueueUnavailableError",
    "RateLimited",
    "RateLimitedError",
    "ServiceUnavailable",
    "ServiceUnavailableError",
    "SpendLimitExceeded",
    "SpendLimitExceededError",
    "SubscriptionRequired",
    "SubscriptionRequiredError",
    "TeamExpired",
    "TeamExpiredError",
    "TeamRequired",
    "TeamRequiredError",
    "TooManyConcurrent",
    "TooManyConcurrentError",
    "TooManyOpen",
    "TooManyOpenError",
    "Unauthorized",
    "UnauthorizedError",
    "UnsupportedContentType",
    "UnsupportedContentTypeError",
    "UnsupportedFileFormat",
    "UnsupportedFileFormatError",
    "VariantNotResolved",
    "VariantNotResolvedError",
]


class AccessDeniedError(NotPermittedError):
    """`access_denied`: External access is disabled for this account. Ask the operator of this
    service.
    """


class AccountBlockedError(NotPermittedError):
    """`account_blocked`: This account is blocked. Ask the operator of this service."""


class CancelConflictError(ConflictError):
    """`cancel_conflict`: The generation changed its state during the cancel. Read it again,
    then repeat the cancel.
    """


class CostAboveLimitError(CreditsError):
    """`cost_above_limit`: The request costs more than its maxCredits. Raise maxCredits, or
    choose cheaper parameters.
    """


class CreditReservationFailedError(CreditsError):
    """`credit_reservation_failed`: The credits could not be reserved. Repeat the request."""


class FamilyNotFoundError(RequestError):
    """`family_not_found`: The catalog has no such family. Use an id from the list of families.
    """


class FamilyUnavailableError(ServiceError):
    """`family_unavailable`: The family is temporarily unavailable. Repeat later, or choose
    another family.
    """


class FileFetchFailedError(ServiceError):
    """`file_fetch_failed`: The file could not be downloaded from the link. Check the link, or
    upload the content.
    """


class FileMetadataMissingError(RequestError):
    """`file_metadata_missing`: The service has not measured the input file yet. Repeat in a few
    seconds.
    """


class FileNotFoundError(NotFoundError):
    """`file_not_found`: The file or generation does not exist, or has the wrong type for this
    field. Check its identifier and type.
    """


class FileNotReadyError(ConflictError):
    """`file_not_ready`: The input is not ready yet. Repeat in a few seconds."""


class FileProcessingFailedError(RequestError):
    """`file_processing_failed`: The file could not be processed. Export it again, and upload
    the new file.
    """


class FileQuotaExceededError(ConflictError):
    """`file_quota_exceeded`: There is no room for more unused files. Use some in a generation,
    or delete some.
    """


class GenerationNotFoundError(NotFoundError):
    """`generation_not_found`: The generation does not exist. Check its identifier."""


class IdempotencyConflictError(ConflictError):
    """`idempotency_conflict`: This Idempotency-Key was used with another request. Use a new key
    for a new request.
    """


class IdempotencyInProgressError(ConflictError):
    """`idempotency_in_progress`: The first request with this Idempotency-Key is still in
    progress. Repeat in a few seconds.
    """


class InsufficientCreditsError(CreditsError):
    """`insufficient_credits`: The account has too few credits available. Add credits, or choose
    a cheaper request.
    """


class InsufficientScopeError(NotPermittedError):
    """`insufficient_scope`: The key lacks the required scope. Use a key with that scope."""


class InternalError(ServiceError):
    """`internal_error`: The service failed. Repeat the request. If it fails again, send the
    X-Request-Id to the operator of this service.
    """


class InvalidCursorError(RequestError):
    """`invalid_cursor`: The cursor does not belong to this list and filter. Remove it to start
    at the first page.
    """


class InvalidParametersError(RequestError):
    """`invalid_parameters`: The parameters do not match the variant. See the issues in details.
    """


class InvalidRequestError(RequestError):
    """`invalid_request`: The request is not valid. See the issues in details."""


class InvalidTokenError(ApiKeyError):
    """`invalid_token`: The key does not exist, is revoked or has expired. Use another key."""


class MethodNotAllowedError(RequestError):
    """`method_not_allowed`: This address does not support the method. Use a method from the
    Allow header.
    """


class NotCancellableError(ConflictError):
    """`not_cancellable`: The editor started this generation. Cancel it in the editor."""


class AddressNotFoundError(NotFoundError):
    """`not_found`: Nothing exists at this address. Check the address."""


class PayloadTooLargeError(RequestError):
    """`payload_too_large`: The content is too large. Send at most the maxBytes in details."""


class PriceUnavailableError(RequestError):
    """`price_unavailable`: The price depends on parameters that the request does not set. Set
    the missing parameters in details.
    """


class QueueUnavailableError(ServiceError):
    """`queue_unavailable`: The generation queue is unavailable, and nothing was started. Repeat
    in a few seconds.
    """


class RateLimitedError(RateError):
    """`rate_limited`: You sent too many requests in this minute. Wait for the seconds in
    Retry-After.
    """


class ServiceUnavailableError(ServiceError):
    """`service_unavailable`: The service is temporarily unavailable. Repeat in a few seconds.
    """


class SpendLimitExceededError(CreditsError):
    """`spend_limit_exceeded`: The request exceeds a spend ceiling of the key. Use another key,
    or choose a cheaper request.
    """


class SubscriptionRequiredError(NotPermittedError):
    """`subscription_required`: The family needs an active subscription. Ask the operator of
    this service.
    """


class TeamExpiredError(NotPermittedError):
    """`team_expired`: The team's plan has ended. Ask the operator of this service."""


class TeamRequiredError(NotPermittedError):
    """`team_required`: This access requires a team. Use a key of a team."""


class TooManyConcurrentError(RateError):
    """`too_many_concurrent`: Too many requests are in progress. Wait until some of them end."""


class TooManyOpenError(RateError):
    """`too_many_open`: The team has too many open generations in this family. Wait until some
    of them end.
    """


class UnauthorizedError(ApiKeyError):
    """`unauthorized`: The request has no key. Send the header Authorization: Bearer <key>."""


class UnsupportedContentTypeError(RequestError):
    """`unsupported_content_type`: This endpoint does not support the content type. Use a
    content type from details.
    """


class UnsupportedFileFormatError(RequestError):
    """`unsupported_file_format`: The file format is not supported. Use a format from details.
    """


class VariantNotResolvedError(RequestError):
    """`variant_not_resolved`: No variant takes this combination of inputs. Compare it with the
    variants in details.
    """


# The names before 1.0.0.
AccessDenied = AccessDeniedError
AccountBlocked = AccountBlockedError
CancelConflict = CancelConflictError
CostAboveLimit = CostAboveLimitError
CreditReservationFailed = CreditReservationFailedError
FamilyNotFound = FamilyNotFoundError
FamilyUnavailable = FamilyUnavailableError
FileFetchFailed = FileFetchFailedError
FileMetadataMissing = FileMetadataMissingError
FileNotFound = FileNotFoundError
FileNotReady = FileNotReadyError
FileProcessingFailed = FileProcessingFailedError
FileQuotaExceeded = FileQuotaExceededError
GenerationNotFound = GenerationNotFoundError
IdempotencyConflict = IdempotencyConflictError
IdempotencyInProgress = IdempotencyInProgressError
InsufficientCredits = InsufficientCreditsError
InsufficientScope = InsufficientScopeError
InvalidCursor = InvalidCursorError
InvalidParameters = InvalidParametersError
InvalidRequest = InvalidRequestError
InvalidToken = InvalidTokenError
MethodNotAllowed = MethodNotAllowedError
NotCancellable = NotCancellableError
NotFound = AddressNotFoundError
PayloadTooLarge = PayloadTooLargeError
PriceUnavailable = PriceUnavailableError
QueueUnavailable = QueueUnavailableError
RateLimited = RateLimitedError
ServiceUnavailable = ServiceUnavailableError
SpendLimitExceeded = SpendLimitExceededError
SubscriptionRequired = SubscriptionRequiredError
TeamExpired = TeamExpiredError
TeamRequired = TeamRequiredError
TooManyConcurrent = TooManyConcurrentError
TooManyOpen = TooManyOpenError
Unauthorized = UnauthorizedError
UnsupportedContentType = UnsupportedContentTypeError
UnsupportedFileFormat = UnsupportedFileFormatError
VariantNotResolved = VariantNotResolvedError


BY_CODE: dict[str, type[AtelierError]] = {
    "access_denied": AccessDeniedError,
    "account_blocked": AccountBlockedError,
    "cancel_conflict": CancelConflictError,
    "cost_above_limit": CostAboveLimitError,
    "credit_reservation_failed": CreditReservationFailedError,
    "family_not_found": FamilyNotFoundError,
    "family_unavailable": FamilyUnavailableError,
    "file_fetch_failed": FileFetchFailedError,
    "file_metadata_missing": FileMetadataMissingError,
    "file_not_found": FileNotFoundError,
    "file_not_ready": FileNotReadyError,
    "file_processing_failed": FileProcessingFailedError,
    "file_quota_exceeded": FileQuotaExceededError,
    "generation_not_found": GenerationNotFoundError,
    "idempotency_conflict": IdempotencyConflictError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "insufficient_credits": InsufficientCreditsError,
    "insufficient_scope": InsufficientScopeError,
    "internal_error": InternalError,
    "invalid_cursor": InvalidCursorError,
    "invalid_parameters": InvalidParametersError,
    "invalid_request": InvalidRequestError,
    "invalid_token": InvalidTokenError,
    "method_not_allowed": MethodNotAllowedError,
    "not_cancellable": NotCancellableError,
    "not_found": AddressNotFoundError,
    "payload_too_large": PayloadTooLargeError,
    "price_unavailable": PriceUnavailableError,
    "queue_unavailable": QueueUnavailableError,
    "rate_limited": RateLimitedError,
    "service_unavailable": ServiceUnavailableError,
    "spend_limit_exceeded": SpendLimitExceededError,
    "subscription_required": SubscriptionRequiredError,
    "team_expired": TeamExpiredError,
    "team_required": TeamRequiredError,
    "too_many_concurrent": TooManyConcurrentError,
    "too_many_open": TooManyOpenError,
    "unauthorized": UnauthorizedError,
    "unsupported_content_type": UnsupportedContentTypeError,
    "unsupported_file_format": UnsupportedFileFormatError,
    "variant_not_resolved": VariantNotResolvedError,
}
