"""What the service takes and answers.

Written by a program, `npm run generate:python`, from the OpenAPI document of the service.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict

from ._model import Json, Model, calendar_day, exact, listed, moment, object_of

__all__ = [
    "Account",
    "AccountKey",
    "AccountTeam",
    "AvailableVariant",
    "Axis",
    "BatchPlace",
    "CallbackSecret",
    "CancelledGeneration",
    "DailyLimit",
    "DeliveryEventName",
    "DeliveryKind",
    "DeliveryOutcome",
    "DeliveryState",
    "Estimate",
    "EstimateLine",
    "EstimatedVariant",
    "FailureClass",
    "Family",
    "FamilyList",
    "File",
    "FileList",
    "FileQuota",
    "FileState",
    "FileType",
    "Generation",
    "GenerationCallback",
    "GenerationFailure",
    "GenerationFallback",
    "GenerationInputs",
    "GenerationList",
    "GenerationRequest",
    "GenerationResult",
    "GenerationSource",
    "GenerationState",
    "HistoryStatus",
    "Issue",
    "IssueCode",
    "IssuePlace",
    "Key",
    "KeyChange",
    "KeyIssuer",
    "KeyLimits",
    "KeyList",
    "KeyRotation",
    "KeyState",
    "KeyWithValue",
    "LimitKind",
    "LimitOwner",
    "LockReason",
    "MediaField",
    "MediumInputs",
    "MonthlyLimit",
    "NewKey",
    "NewWebhookSubscription",
    "OutputType",
    "Price",
    "PriceUnit",
    "PromptInput",
    "Refusal",
    "RefusalCode",
    "RefusalDetails",
    "RefusalError",
    "ResultType",
    "RunSeconds",
    "Scope",
    "SingleLimit",
    "StartedBatch",
    "StartedGeneration",
    "Task",
    "TeamLimits",
    "TeamState",
    "Usage",
    "UsageLine",
    "Variant",
    "VariantInputs",
    "WebhookBody",
    "WebhookData",
    "WebhookDelivery",
    "WebhookDeliveryList",
    "WebhookEventName",
    "WebhookSecretRotation",
    "WebhookSubscription",
    "WebhookSubscriptionChange",
    "WebhookSubscriptionList",
    "WebhookSubscriptionWithSecret",
]



Task = Literal["text-to-image", "image-to-image", "inpaint", "upscale-image", "remove-background", "text-to-video", "image-to-video", "video-to-video", "upscale-video", "lip-sync", "text-to-speech", "text-to-audio", "text-to-music", "audio-to-audio", "text-to-3d", "image-to-3d", "retexture-3d"]
"""The task of a model."""

OutputType = Literal["image", "video", "audio", "model3d"]
"""The media type that a family generates."""

WebhookEventName = Literal["generation.completed", "generation.failed", "generation.cancelled"]

HistoryStatus = Literal["active", "ready", "failed", "cancelled"]

Scope = Literal["catalog:read", "generations:read", "generations:write", "files:write", "account:read", "mcp", "keys:write", "webhooks:write"]
"""A permission of a key; `mcp` permits no endpoint of this interface."""

DeliveryState = Literal["pending", "retrying", "delivered", "failed"]
"""`pending` has no attempt yet, `retrying` gets another attempt, `delivered` and `failed` are
closed.
"""

DeliveryKind = Literal["webhook", "callback", "alert"]
"""What it belongs to: a webhook, the callback of a start, or a subscription to alerts."""

GenerationState = Literal["queued", "running", "finalizing", "ready", "failed", "cancelled"]
"""`queued`, `running` and `finalizing` are open; `ready`, `failed` and `cancelled` are final.
"""

ResultType = Literal["image", "video", "audio", "model3d", "text"]
"""The type of a result; `text` occurs only in the history."""

GenerationSource = Literal["rest", "mcp", "editor"]
"""The interface that started the generation."""

FailureClass = Literal["content_policy", "prompt_validation", "parameter_validation", "file_size", "image_size", "image_format", "feature_limitation", "model_unavailable", "insufficient_credits", "authentication", "timeout", "provider_error", "internal_error", "user_cancellation"]
"""The class, from a closed list."""

RefusalCode = Literal["access_denied", "account_blocked", "cancel_conflict", "cost_above_limit", "credit_reservation_failed", "family_not_found", "family_unavailable", "file_fetch_failed", "file_metadata_missing", "file_not_found", "file_not_ready", "file_processing_failed", "file_quota_exceeded", "generation_not_found", "idempotency_conflict", "idempotency_in_progress", "insufficient_credits", "insufficient_scope", "internal_error", "invalid_cursor", "invalid_parameters", "invalid_request", "invalid_token", "method_not_allowed", "not_cancellable", "not_found", "payload_too_large", "price_unavailable", "queue_unavailable", "rate_limited", "service_unavailable", "spend_limit_exceeded", "subscription_required", "team_expired", "team_required", "too_many_concurrent", "too_many_open", "unauthorized", "unsupported_content_type", "unsupported_file_format", "variant_not_resolved"]
"""The codes of this release. A later release may add codes: handle an unknown code by its
status and `retryable`.
"""

IssuePlace = Literal["body", "query", "header", "path"]
"""The part of the request with the problem."""

IssueCode = Literal["required", "unknown_field", "wrong_type", "not_allowed", "too_small", "too_big", "too_long", "bad_format", "conflict"]

LimitKind = Literal["daily", "single", "monthly"]
"""The exceeded ceiling."""

LimitOwner = Literal["key", "team"]
"""Whose monthly ceiling it is."""

MediaField = Literal["imageIds", "videoId", "videoIds", "audioIds", "model3dIds"]
"""A request field for media."""

LockReason = Literal["access_denied", "disabled_by_team", "subscription_required", "temporarily_unavailable"]
"""The reason why you cannot use a family."""

PriceUnit = Literal["generation", "output_second", "input_second", "megapixel", "thousand_characters"]
"""The unit of a price: `generation`, `output_second`, `input_second` (measured, not rounded),
`megapixel`, `thousand_characters` (each thousand code points or part of it).
"""

FileState = Literal["processing", "ready", "failed"]

FileType = Literal["image", "video", "audio", "model3d"]
"""The media type."""

TeamState = Literal["active", "expired", "blocked"]

KeyState = Literal["live", "expired", "revoked"]
"""A later end makes an expired key work again; a revoked key never does."""

DeliveryOutcome = Literal["delivered", "retrying", "failed"]

DeliveryEventName = Literal["generation.completed", "generation.failed", "generation.cancelled", "credits.low", "key.near_ceiling", "webhook.failing", "key.expiring", "plan.expiring"]
"""An event of a generation, or an alert."""


@dataclass(frozen=True, kw_only=True)
class Generation(Model):
    """A generation; every interface uses this shape."""

    generation_id: str
    state: GenerationState
    family_id: str
    model_id: str | None
    fallback: GenerationFallback | None = None
    """Present when another variant ran because the requested one had no capacity; the price is
    the same.
    """
    task: str | None
    output_type: ResultType
    axes: Mapping[str, str]
    prompt: str | None
    parameters: Mapping[str, Any]
    inputs: GenerationInputs
    reference: str | None
    """Your reference; null when not set."""
    metadata: Mapping[str, str]
    """Your metadata, by name; empty when not set."""
    source: GenerationSource
    credits_held: Decimal
    """The credits held now; 0 after the end."""
    credits_charged: Decimal | None
    """The charged credits; null until the end."""
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: float | None = None
    """The progress, 0 to 1; null when unknown, absent after the end."""
    queue_position: int | None = None
    """The position in the queue of the model's vendor; 1 is next, null is unknown. Absent after
    the end.
    """
    poll_after_seconds: int | None = None
    """Seconds to wait before the next read; absent after the end."""
    result: GenerationResult | None = None
    reusable_as: tuple[str, ...] | None = None
    """The request fields that accept this generationId as an input."""
    error: GenerationFailure | None = None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "generation_id": json.get("generationId"),
            "state": json.get("state"),
            "family_id": json.get("familyId"),
            "model_id": json.get("modelId"),
            "fallback": object_of(GenerationFallback, json.get("fallback")),
            "task": json.get("task"),
            "output_type": json.get("outputType"),
            "axes": json.get("axes") or {},
            "prompt": json.get("prompt"),
            "parameters": json.get("parameters") or {},
            "inputs": object_of(GenerationInputs, json.get("inputs")),
            "reference": json.get("reference"),
            "metadata": json.get("metadata") or {},
            "source": json.get("source"),
            "credits_held": exact(json.get("creditsHeld")),
            "credits_charged": exact(json.get("creditsCharged")),
            "created_at": moment(json.get("createdAt")),
            "started_at": moment(json.get("startedAt")),
            "finished_at": moment(json.get("finishedAt")),
            "progress": json.get("progress"),
            "queue_position": json.get("queuePosition"),
            "poll_after_seconds": json.get("pollAfterSeconds"),
            "result": object_of(GenerationResult, json.get("result")),
            "reusable_as": listed(json.get("reusableAs")),
            "error": object_of(GenerationFailure, json.get("error")),
        }


class _RequiredGenerationRequest(TypedDict):
    family_id: str
    """The family of the catalog."""


class GenerationRequest(_RequiredGenerationRequest, total=False):
    """The request of a generation. Only familyId is required."""

    prompt: str
    """The prompt. Models have stricter limits."""
    axes: Mapping[str, str]
    """Choices on the axes of the family, for example its `version`. An omitted axis has its
    default.
    """
    model_id: str
    """The variant; not together with `axes`."""
    parameters: Mapping[str, Any]
    """Parameters that match the JSON Schema of the family, without media."""
    image_ids: Sequence[str]
    """Images: identifiers of uploaded files or ready generations, in order."""
    video_id: str
    """A single video."""
    video_ids: Sequence[str]
    """Videos: identifiers of uploaded files or ready generations, in order."""
    audio_ids: Sequence[str]
    """Audio: identifiers of uploaded files or ready generations, in order."""
    model3d_ids: Sequence[str]
    """3D models: identifiers of uploaded files or ready generations, in order."""
    max_credits: float | Decimal
    """Refuse the request when its price is above this many credits."""
    reference: str
    """Your own reference, to find the generation. The service does not interpret it."""
    metadata: Mapping[str, str]
    """Your own strings by name. The service stores and returns them, and does not interpret
    them.
    """
    webhook: GenerationCallback


GENERATION_REQUEST_NAMES = {
    "family_id": "familyId",
    "prompt": "prompt",
    "axes": "axes",
    "model_id": "modelId",
    "parameters": "parameters",
    "image_ids": "imageIds",
    "video_id": "videoId",
    "video_ids": "videoIds",
    "audio_ids": "audioIds",
    "model3d_ids": "model3dIds",
    "max_credits": "maxCredits",
    "reference": "reference",
    "metadata": "metadata",
    "webhook": "webhook",
}


class _RequiredGenerationCallback(TypedDict):
    url: str
    """A public https address that receives the event."""


class GenerationCallback(_RequiredGenerationCallback, total=False):
    """Sends the end of this generation to an address, like a webhook."""

    events: Sequence[WebhookEventName]
    """The ends to send, each once. Omitted: all."""


GENERATION_CALLBACK_NAMES = {
    "url": "url",
    "events": "events",
}


@dataclass(frozen=True, kw_only=True)
class NewKey(Model):
    name: str
    daily_limit_credits: float | None = None
    """Ceiling of a calendar day in UTC. Null or absent: none."""
    monthly_limit_credits: float | None = None
    """Ceiling of a calendar month in UTC. Null or absent: none."""
    single_limit_credits: float | None = None
    """Ceiling of one generation. Null or absent: none."""
    confirm_above_credits: float | None = None
    """Agents ask a person before they start a generation that costs more. Null or absent:
    never.
    """
    scopes: tuple[Scope, ...]
    expires_at: str | None = None
    """When the key expires. Null or absent: never."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "name": json.get("name"),
            "daily_limit_credits": json.get("dailyLimitCredits"),
            "monthly_limit_credits": json.get("monthlyLimitCredits"),
            "single_limit_credits": json.get("singleLimitCredits"),
            "confirm_above_credits": json.get("confirmAboveCredits"),
            "scopes": listed(json.get("scopes")) or (),
            "expires_at": json.get("expiresAt"),
        }


@dataclass(frozen=True, kw_only=True)
class KeyChange(Model):
    name: str | None = None
    daily_limit_credits: float | None = None
    """Null removes the ceiling."""
    monthly_limit_credits: float | None = None
    """Null removes the ceiling."""
    single_limit_credits: float | None = None
    """Null removes the ceiling."""
    confirm_above_credits: float | None = None
    """Null removes the question."""
    expires_at: str | None = None
    """Null removes the end. An expired key works again with a later one."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "name": json.get("name"),
            "daily_limit_credits": json.get("dailyLimitCredits"),
            "monthly_limit_credits": json.get("monthlyLimitCredits"),
            "single_limit_credits": json.get("singleLimitCredits"),
            "confirm_above_credits": json.get("confirmAboveCredits"),
            "expires_at": json.get("expiresAt"),
        }


@dataclass(frozen=True, kw_only=True)
class KeyRotation(Model):
    overlap_hours: int | None = None
    """For how many hours the present value stays valid; at most 168. 0 invalidates it at once.
    """

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "overlap_hours": json.get("overlapHours"),
        }


@dataclass(frozen=True, kw_only=True)
class NewWebhookSubscription(Model):
    address: str
    """A public https address."""
    events: tuple[WebhookEventName, ...]

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "address": json.get("address"),
            "events": listed(json.get("events")) or (),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookSubscriptionChange(Model):
    paused: bool | None = None
    events: tuple[WebhookEventName, ...] | None = None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "paused": json.get("paused"),
            "events": listed(json.get("events")),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookSecretRotation(Model):
    overlap_hours: int | None = None
    """For how many hours the present secret stays valid; at most 24. 0 invalidates it at once.
    """

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "overlap_hours": json.get("overlapHours"),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookBody(Model):
    id: str
    """The same in all attempts of one event; ignore an `id` that you have processed."""
    event: WebhookEventName
    created_at: datetime
    """When the event happened, not when it was sent."""
    data: WebhookData

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "event": json.get("event"),
            "created_at": moment(json.get("createdAt")),
            "data": object_of(WebhookData, json.get("data")),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookData(Model):
    generation: Generation

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "generation": object_of(Generation, json.get("generation")),
        }


@dataclass(frozen=True, kw_only=True)
class GenerationFallback(Model):
    model_id: str

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "model_id": json.get("modelId"),
        }


@dataclass(frozen=True, kw_only=True)
class GenerationInputs(Model):
    """The input media, in their order."""

    image_ids: tuple[str, ...]
    video_ids: tuple[str, ...]
    audio_ids: tuple[str, ...]
    model3d_ids: tuple[str, ...]

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "image_ids": listed(json.get("imageIds")) or (),
            "video_ids": listed(json.get("videoIds")) or (),
            "audio_ids": listed(json.get("audioIds")) or (),
            "model3d_ids": listed(json.get("model3dIds")) or (),
        }


@dataclass(frozen=True, kw_only=True)
class GenerationResult(Model):
    type: ResultType
    url: str | None = None
    """A link to the file. It needs no key and ends with the key that obtained it. Null for
    results of the editor and for deleted results.
    """
    url_expires_at: datetime | None = None
    mime_type: str | None = None
    size_bytes: int | None = None
    width: int | None = None
    height: int | None = None
    duration_seconds: float | None = None
    text: str | None = None
    """The result of a text generation in the history."""
    deleted_at: datetime | None = None
    """Present when the result was deleted; the other fields are then null."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "type": json.get("type"),
            "url": json.get("url"),
            "url_expires_at": moment(json.get("urlExpiresAt")),
            "mime_type": json.get("mimeType"),
            "size_bytes": json.get("sizeBytes"),
            "width": json.get("width"),
            "height": json.get("height"),
            "duration_seconds": json.get("durationSeconds"),
            "text": json.get("text"),
            "deleted_at": moment(json.get("deletedAt")),
        }


@dataclass(frozen=True, kw_only=True)
class GenerationFailure(Model):
    code: FailureClass
    reason: str
    """The cause within the class, from an open list. Handle an unknown reason by `code`."""
    message: str
    retryable: bool
    """Whether the same request may succeed when it is repeated."""
    hint: str
    """What to do before the next attempt."""
    details: Mapping[str, float] | None = None
    """Numbers, such as the prompt limit of the model."""
    doc_url: str
    """The page that explains this reason and its remedy."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "code": json.get("code"),
            "reason": json.get("reason"),
            "message": json.get("message"),
            "retryable": json.get("retryable"),
            "hint": json.get("hint"),
            "details": json.get("details"),
            "doc_url": json.get("docUrl"),
        }


@dataclass(frozen=True, kw_only=True)
class Refusal(Model):
    """The body of a refusal."""

    error: RefusalError

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "error": object_of(RefusalError, json.get("error")),
        }


@dataclass(frozen=True, kw_only=True)
class RefusalError(Model):
    code: RefusalCode | str
    """Program against this code: a `RefusalCode`, or a code that a later release adds."""
    message: str
    """For people; may change between releases."""
    retryable: bool
    """Whether the same request may succeed when it is repeated."""
    details: RefusalDetails | None = None
    doc_url: str
    """The page that explains this code and its remedy."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "code": json.get("code"),
            "message": json.get("message"),
            "retryable": json.get("retryable"),
            "details": object_of(RefusalDetails, json.get("details")),
            "doc_url": json.get("docUrl"),
        }


@dataclass(frozen=True, kw_only=True)
class RefusalDetails(Model):
    """Machine-readable details. The code determines which fields are present."""

    issues: tuple[Issue, ...] | None = None
    retry_after_seconds: float | None = None
    credits: Decimal | None = None
    """The price of the request."""
    max_credits: Decimal | None = None
    confirm_above_credits: Decimal | None = None
    """A price above this needs the confirmation of a person."""
    credits_available: Decimal | None = None
    credits_held: Decimal | None = None
    limit_kind: LimitKind | None = None
    limit_owner: LimitOwner | None = None
    limit_credits: Decimal | None = None
    spent_credits: Decimal | None = None
    held_credits: Decimal | None = None
    resets_at: datetime | None = None
    """When the daily or monthly ceiling resets."""
    family_id: str | None = None
    nearest: str | None = None
    """The most similar familyId or modelId; absent when none is similar."""
    model_id: str | None = None
    available: tuple[AvailableVariant, ...] | None = None
    missing_inputs: tuple[str, ...] | None = None
    excess_inputs: tuple[str, ...] | None = None
    max_media_inputs: int | None = None
    file_id: str | None = None
    """The file; null when no file was stored."""
    file_ids: tuple[str, ...] | None = None
    """The inputs that are not ready."""
    ids: tuple[str, ...] | None = None
    """The inputs that were not found."""
    field: str | None = None
    """The request field with the identifiers; null when they came from the path."""
    missing: Any = None
    """The missing `team` or `role`, or the names of missing measurements or parameters."""
    cause: str | None = None
    status: int | None = None
    """The status of the response of a remote server."""
    state: str | None = None
    source: str | None = None
    idempotency_key: str | None = None
    required: str | None = None
    """The required scope."""
    granted: tuple[str, ...] | None = None
    """The scopes of the key."""
    limit: int | None = None
    max_bytes: int | None = None
    files_used: int | None = None
    """The files that no generation has used."""
    files_max: int | None = None
    bytes_used: int | None = None
    """The total size of files that no generation has used."""
    bytes_max: int | None = None
    received: str | None = None
    detected: str | None = None
    declared: str | None = None
    allowed: tuple[str, ...] | None = None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "issues": listed(json.get("issues"), lambda each: object_of(Issue, each)),
            "retry_after_seconds": json.get("retryAfterSeconds"),
            "credits": exact(json.get("credits")),
            "max_credits": exact(json.get("maxCredits")),
            "confirm_above_credits": exact(json.get("confirmAboveCredits")),
            "credits_available": exact(json.get("creditsAvailable")),
            "credits_held": exact(json.get("creditsHeld")),
            "limit_kind": json.get("limitKind"),
            "limit_owner": json.get("limitOwner"),
            "limit_credits": exact(json.get("limitCredits")),
            "spent_credits": exact(json.get("spentCredits")),
            "held_credits": exact(json.get("heldCredits")),
            "resets_at": moment(json.get("resetsAt")),
            "family_id": json.get("familyId"),
            "nearest": json.get("nearest"),
            "model_id": json.get("modelId"),
            "available": listed(json.get("available"), lambda each: object_of(AvailableVariant, each)),
            "missing_inputs": listed(json.get("missingInputs")),
            "excess_inputs": listed(json.get("excessInputs")),
            "max_media_inputs": json.get("maxMediaInputs"),
            "file_id": json.get("fileId"),
            "file_ids": listed(json.get("fileIds")),
            "ids": listed(json.get("ids")),
            "field": json.get("field"),
            "missing": json.get("missing"),
            "cause": json.get("cause"),
            "status": json.get("status"),
            "state": json.get("state"),
            "source": json.get("source"),
            "idempotency_key": json.get("idempotencyKey"),
            "required": json.get("required"),
            "granted": listed(json.get("granted")),
            "limit": json.get("limit"),
            "max_bytes": json.get("maxBytes"),
            "files_used": json.get("filesUsed"),
            "files_max": json.get("filesMax"),
            "bytes_used": json.get("bytesUsed"),
            "bytes_max": json.get("bytesMax"),
            "received": json.get("received"),
            "detected": json.get("detected"),
            "declared": json.get("declared"),
            "allowed": listed(json.get("allowed")),
        }


@dataclass(frozen=True, kw_only=True)
class Issue(Model):
    """One problem of a request."""

    in_: IssuePlace
    path: tuple[str | int, ...]
    """The place of the problem."""
    code: IssueCode
    message: str
    allowed: tuple[Any, ...] | None = None
    """The allowed values."""
    nearest: str | None = None
    """The most similar allowed name or value; absent when none is similar."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "in_": json.get("in"),
            "path": listed(json.get("path")) or (),
            "code": json.get("code"),
            "message": json.get("message"),
            "allowed": listed(json.get("allowed")),
            "nearest": json.get("nearest"),
        }


@dataclass(frozen=True, kw_only=True)
class AvailableVariant(Model):
    """A variant that takes the request, or a variant of the family."""

    model_id: str
    task: str
    axes: Mapping[str, str]
    inputs: VariantInputs

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "model_id": json.get("modelId"),
            "task": json.get("task"),
            "axes": json.get("axes") or {},
            "inputs": object_of(VariantInputs, json.get("inputs")),
        }


@dataclass(frozen=True, kw_only=True)
class VariantInputs(Model):
    """The inputs of a variant, apart from its parameters."""

    prompt: PromptInput
    images: MediumInputs
    videos: MediumInputs
    audios: MediumInputs
    models3d: MediumInputs

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "prompt": object_of(PromptInput, json.get("prompt")),
            "images": object_of(MediumInputs, json.get("images")),
            "videos": object_of(MediumInputs, json.get("videos")),
            "audios": object_of(MediumInputs, json.get("audios")),
            "models3d": object_of(MediumInputs, json.get("models3d")),
        }


@dataclass(frozen=True, kw_only=True)
class PromptInput(Model):
    required: bool
    max_length: int | None
    """In code points; null when the model has no limit."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "required": json.get("required"),
            "max_length": json.get("maxLength"),
        }


@dataclass(frozen=True, kw_only=True)
class MediumInputs(Model):
    min: int
    max: int
    field: MediaField
    """The request field of these inputs."""
    mime_types: tuple[str, ...]
    min_bytes: int | None = None
    """This and the following limits, if present, are limits of the model."""
    max_bytes: int | None = None
    min_width: int | None = None
    max_width: int | None = None
    min_height: int | None = None
    max_height: int | None = None
    min_aspect_ratio: float | None = None
    """Width by height."""
    max_aspect_ratio: float | None = None
    min_duration_seconds: float | None = None
    max_duration_seconds: float | None = None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "min": json.get("min"),
            "max": json.get("max"),
            "field": json.get("field"),
            "mime_types": listed(json.get("mimeTypes")) or (),
            "min_bytes": json.get("minBytes"),
            "max_bytes": json.get("maxBytes"),
            "min_width": json.get("minWidth"),
            "max_width": json.get("maxWidth"),
            "min_height": json.get("minHeight"),
            "max_height": json.get("maxHeight"),
            "min_aspect_ratio": json.get("minAspectRatio"),
            "max_aspect_ratio": json.get("maxAspectRatio"),
            "min_duration_seconds": json.get("minDurationSeconds"),
            "max_duration_seconds": json.get("maxDurationSeconds"),
        }


@dataclass(frozen=True, kw_only=True)
class FamilyList(Model):
    items: tuple[Family, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(Family, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class Family(Model):
    id: str
    name: str
    vendor: str
    description: str
    available: bool
    lock_reason: LockReason | None = None
    tasks: tuple[Task, ...]
    output_type: OutputType
    axes: tuple[Axis, ...]
    variants: tuple[Variant, ...]
    parameters: Mapping[str, Any]
    """A JSON Schema (2020-12) of the `parameters` of all variants. Its `prompt` only contains
    the limit: a request has the prompt at its top level, and `parameters.prompt` is refused.
    For forms, use the schema of a variant.
    """
    credits_from: Decimal
    expected_run_seconds: RunSeconds
    updated_at: datetime

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "name": json.get("name"),
            "vendor": json.get("vendor"),
            "description": json.get("description"),
            "available": json.get("available"),
            "lock_reason": json.get("lockReason"),
            "tasks": listed(json.get("tasks")) or (),
            "output_type": json.get("outputType"),
            "axes": listed(json.get("axes"), lambda each: object_of(Axis, each)) or (),
            "variants": listed(json.get("variants"), lambda each: object_of(Variant, each)) or (),
            "parameters": json.get("parameters") or {},
            "credits_from": exact(json.get("creditsFrom")),
            "expected_run_seconds": object_of(RunSeconds, json.get("expectedRunSeconds")),
            "updated_at": moment(json.get("updatedAt")),
        }


@dataclass(frozen=True, kw_only=True)
class Axis(Model):
    """A choice that distinguishes the variants of a family, for example its `version`."""

    name: str
    label: str
    values: tuple[str, ...]
    default: str

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "name": json.get("name"),
            "label": json.get("label"),
            "values": listed(json.get("values")) or (),
            "default": json.get("default"),
        }


@dataclass(frozen=True, kw_only=True)
class Variant(Model):
    model_id: str
    label: str
    tasks: tuple[Task, ...]
    axes: Mapping[str, str]
    inputs: VariantInputs
    parameter_names: tuple[str, ...]
    parameters: Mapping[str, Any]
    """A JSON Schema (2020-12) of the `parameters` of this variant, without the prompt. Use it
    for forms.
    """
    prices: tuple[Price, ...]
    credits_from: Decimal
    expected_run_seconds: RunSeconds

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "model_id": json.get("modelId"),
            "label": json.get("label"),
            "tasks": listed(json.get("tasks")) or (),
            "axes": json.get("axes") or {},
            "inputs": object_of(VariantInputs, json.get("inputs")),
            "parameter_names": listed(json.get("parameterNames")) or (),
            "parameters": json.get("parameters") or {},
            "prices": listed(json.get("prices"), lambda each: object_of(Price, each)) or (),
            "credits_from": exact(json.get("creditsFrom")),
            "expected_run_seconds": object_of(RunSeconds, json.get("expectedRunSeconds")),
        }


@dataclass(frozen=True, kw_only=True)
class Price(Model):
    unit: PriceUnit
    credits: float
    when: Mapping[str, str | float | bool]
    """The parameter values to which this price applies; empty when it always applies."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "unit": json.get("unit"),
            "credits": json.get("credits"),
            "when": json.get("when") or {},
        }


@dataclass(frozen=True, kw_only=True)
class RunSeconds(Model):
    """The typical run time in seconds, and that of a slow run."""

    typical: float
    slow: float

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "typical": json.get("typical"),
            "slow": json.get("slow"),
        }


@dataclass(frozen=True, kw_only=True)
class File(Model):
    file_id: str
    """The identifier to use as an input of a generation."""
    state: FileState
    type: FileType | None
    """Null while it is unknown."""
    mime_type: str | None
    """The content type, detected from the content."""
    size_bytes: int
    width: int | None
    height: int | None
    duration_seconds: float | None
    usable_in: tuple[str, ...]
    """The request fields that accept this fileId."""
    poll_after_seconds: int | None = None
    """While the file is processing: seconds to wait before the next read."""
    error: RefusalError | None = None
    """Why a failed file cannot be used, as a refusal."""
    created_at: datetime
    expires_at: datetime
    """When the file is deleted, unless a generation has used it."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "file_id": json.get("fileId"),
            "state": json.get("state"),
            "type": json.get("type"),
            "mime_type": json.get("mimeType"),
            "size_bytes": json.get("sizeBytes"),
            "width": json.get("width"),
            "height": json.get("height"),
            "duration_seconds": json.get("durationSeconds"),
            "usable_in": listed(json.get("usableIn")) or (),
            "poll_after_seconds": json.get("pollAfterSeconds"),
            "error": object_of(RefusalError, json.get("error")),
            "created_at": moment(json.get("createdAt")),
            "expires_at": moment(json.get("expiresAt")),
        }


@dataclass(frozen=True, kw_only=True)
class FileList(Model):
    items: tuple[File, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(File, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class Estimate(Model):
    family_id: str
    variant: EstimatedVariant
    credits: Decimal
    """The price: a start holds it, and charges it when the generation succeeds."""
    credits_available: Decimal
    sufficient: bool
    """Whether the account has enough credits now."""
    breakdown: tuple[EstimateLine, ...]
    expected_run_seconds: RunSeconds
    blockers: tuple[str, ...]
    """The refusal codes that a start would return now."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "family_id": json.get("familyId"),
            "variant": object_of(EstimatedVariant, json.get("variant")),
            "credits": exact(json.get("credits")),
            "credits_available": exact(json.get("creditsAvailable")),
            "sufficient": json.get("sufficient"),
            "breakdown": listed(json.get("breakdown"), lambda each: object_of(EstimateLine, each)) or (),
            "expected_run_seconds": object_of(RunSeconds, json.get("expectedRunSeconds")),
            "blockers": listed(json.get("blockers")) or (),
        }


@dataclass(frozen=True, kw_only=True)
class EstimatedVariant(Model):
    """The variant that a start would run."""

    model_id: str
    task: str
    axes: Mapping[str, str]

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "model_id": json.get("modelId"),
            "task": json.get("task"),
            "axes": json.get("axes") or {},
        }


@dataclass(frozen=True, kw_only=True)
class EstimateLine(Model):
    unit: PriceUnit
    quantity: float
    credits: Decimal

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "unit": json.get("unit"),
            "quantity": json.get("quantity"),
            "credits": exact(json.get("credits")),
        }


@dataclass(frozen=True, kw_only=True)
class StartedGeneration(Generation):
    replayed: bool
    """True when this repeats the response of an earlier request with the same Idempotency-Key.
    """

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            **super()._fields(json),
            "replayed": json.get("replayed"),
        }


@dataclass(frozen=True, kw_only=True)
class GenerationList(Model):
    items: tuple[Generation, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(Generation, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class StartedBatch(Model):
    items: tuple[BatchPlace, ...]
    """One answer for each item, in order."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(BatchPlace, each)) or (),
        }


@dataclass(frozen=True, kw_only=True)
class BatchPlace(Model):
    status: int
    """The status that the start of this item would have: 201, or that of its refusal."""
    generation: StartedGeneration | None = None
    """The started generation; with the status 201."""
    error: RefusalError | None = None
    """The refusal; with any other status."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "status": json.get("status"),
            "generation": object_of(StartedGeneration, json.get("generation")),
            "error": object_of(RefusalError, json.get("error")),
        }


@dataclass(frozen=True, kw_only=True)
class CancelledGeneration(Model):
    generation_id: str
    state: GenerationState
    cancelled: bool
    """True when this call cancelled the generation."""
    credits_charged: Decimal
    credits_returned: Decimal

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "generation_id": json.get("generationId"),
            "state": json.get("state"),
            "cancelled": json.get("cancelled"),
            "credits_charged": exact(json.get("creditsCharged")),
            "credits_returned": exact(json.get("creditsReturned")),
        }


@dataclass(frozen=True, kw_only=True)
class Account(Model):
    credits_available: Decimal
    """The credits that a start can hold now."""
    team: AccountTeam | None
    """The team of the key; null for a personal key."""
    files: FileQuota
    key: AccountKey

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "credits_available": exact(json.get("creditsAvailable")),
            "team": object_of(AccountTeam, json.get("team")),
            "files": object_of(FileQuota, json.get("files")),
            "key": object_of(AccountKey, json.get("key")),
        }


@dataclass(frozen=True, kw_only=True)
class AccountTeam(Model):
    id: str
    name: str
    state: TeamState
    expires_at: datetime | None
    limits: TeamLimits

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "name": json.get("name"),
            "state": json.get("state"),
            "expires_at": moment(json.get("expiresAt")),
            "limits": object_of(TeamLimits, json.get("limits")),
        }


@dataclass(frozen=True, kw_only=True)
class TeamLimits(Model):
    monthly: MonthlyLimit
    """The monthly budget of the team, which its keys share."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "monthly": object_of(MonthlyLimit, json.get("monthly")),
        }


@dataclass(frozen=True, kw_only=True)
class MonthlyLimit(Model):
    limit_credits: Decimal | None
    """The ceiling of a calendar month in UTC; null when there is none."""
    spent_credits: Decimal
    """Charged this month."""
    held_credits: Decimal
    """Held by open generations."""
    remaining_credits: Decimal | None
    resets_at: datetime

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "limit_credits": exact(json.get("limitCredits")),
            "spent_credits": exact(json.get("spentCredits")),
            "held_credits": exact(json.get("heldCredits")),
            "remaining_credits": exact(json.get("remainingCredits")),
            "resets_at": moment(json.get("resetsAt")),
        }


@dataclass(frozen=True, kw_only=True)
class FileQuota(Model):
    """The quota of files that no generation has used."""

    files_used: int
    """The files that no generation has used."""
    files_max: int
    bytes_used: int
    """Their total size."""
    bytes_max: int

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "files_used": json.get("filesUsed"),
            "files_max": json.get("filesMax"),
            "bytes_used": json.get("bytesUsed"),
            "bytes_max": json.get("bytesMax"),
        }


@dataclass(frozen=True, kw_only=True)
class AccountKey(Model):
    """The key of this request."""

    id: str
    name: str
    prefix: str
    """The first characters of the key, which stay visible."""
    permissions: tuple[Scope, ...]
    expires_at: datetime | None
    """When the key expires; null when it does not expire."""
    previous_value_ends_at: datetime | None
    """After a rotation: when the previous value stops working, even if you sent that value;
    null when no previous value works.
    """
    limits: KeyLimits

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "name": json.get("name"),
            "prefix": json.get("prefix"),
            "permissions": listed(json.get("permissions")) or (),
            "expires_at": moment(json.get("expiresAt")),
            "previous_value_ends_at": moment(json.get("previousValueEndsAt")),
            "limits": object_of(KeyLimits, json.get("limits")),
        }


@dataclass(frozen=True, kw_only=True)
class KeyLimits(Model):
    daily: DailyLimit
    monthly: MonthlyLimit
    single: SingleLimit

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "daily": object_of(DailyLimit, json.get("daily")),
            "monthly": object_of(MonthlyLimit, json.get("monthly")),
            "single": object_of(SingleLimit, json.get("single")),
        }


@dataclass(frozen=True, kw_only=True)
class DailyLimit(Model):
    limit_credits: Decimal | None
    """The ceiling of a calendar day in UTC; null when there is none."""
    spent_credits: Decimal
    """Charged today."""
    held_credits: Decimal
    """Held by open generations."""
    remaining_credits: Decimal | None
    resets_at: datetime

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "limit_credits": exact(json.get("limitCredits")),
            "spent_credits": exact(json.get("spentCredits")),
            "held_credits": exact(json.get("heldCredits")),
            "remaining_credits": exact(json.get("remainingCredits")),
            "resets_at": moment(json.get("resetsAt")),
        }


@dataclass(frozen=True, kw_only=True)
class SingleLimit(Model):
    limit_credits: Decimal | None
    """The ceiling of one generation; null when there is none."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "limit_credits": exact(json.get("limitCredits")),
        }


@dataclass(frozen=True, kw_only=True)
class Usage(Model):
    items: tuple[UsageLine, ...]
    next_cursor: None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(UsageLine, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class UsageLine(Model):
    day: date | None = None
    """In UTC; with `by=day`."""
    key_id: str | None = None
    """With `by=key`; null for generations that no key started."""
    family_id: str | None = None
    """With `by=family`."""
    reference: str | None = None
    """With `by=reference`; null in the line for all others."""
    metadata_value: str | None = None
    """With `by=metadata`; null in the line for all others."""
    other: Literal[true] | None = None
    """The line for everything without a line of its own; the last one of `by=reference` and
    `by=metadata`.
    """
    generations: int
    """The generations that ended in the span, and the active ones."""
    ready: int
    failed: int
    cancelled: int
    active: int
    """The open generations that were started in the span."""
    credits_charged: Decimal
    credits_held: Decimal
    """The credits held by the active generations."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "day": calendar_day(json.get("day")),
            "key_id": json.get("keyId"),
            "family_id": json.get("familyId"),
            "reference": json.get("reference"),
            "metadata_value": json.get("metadataValue"),
            "other": json.get("other"),
            "generations": json.get("generations"),
            "ready": json.get("ready"),
            "failed": json.get("failed"),
            "cancelled": json.get("cancelled"),
            "active": json.get("active"),
            "credits_charged": exact(json.get("creditsCharged")),
            "credits_held": exact(json.get("creditsHeld")),
        }


@dataclass(frozen=True, kw_only=True)
class KeyList(Model):
    items: tuple[Key, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(Key, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class Key(Model):
    """A key of the team, without its value."""

    id: str
    name: str
    prefix: str
    """The first characters of its value."""
    scopes: tuple[Scope, ...]
    state: KeyState
    issued_by: KeyIssuer
    daily_limit_credits: Decimal | None
    """Null when there is none."""
    monthly_limit_credits: Decimal | None
    """Null when there is none."""
    single_limit_credits: Decimal | None
    """Null when there is none."""
    confirm_above_credits: Decimal | None
    """Null when there is none."""
    spent_today_credits: Decimal
    spent_this_month_credits: Decimal
    held_credits: Decimal
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    previous_prefix: str | None
    """The first characters of the value before a rotation, while it works."""
    previous_value_ends_at: datetime | None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "name": json.get("name"),
            "prefix": json.get("prefix"),
            "scopes": listed(json.get("scopes")) or (),
            "state": json.get("state"),
            "issued_by": object_of(KeyIssuer, json.get("issuedBy")),
            "daily_limit_credits": exact(json.get("dailyLimitCredits")),
            "monthly_limit_credits": exact(json.get("monthlyLimitCredits")),
            "single_limit_credits": exact(json.get("singleLimitCredits")),
            "confirm_above_credits": exact(json.get("confirmAboveCredits")),
            "spent_today_credits": exact(json.get("spentTodayCredits")),
            "spent_this_month_credits": exact(json.get("spentThisMonthCredits")),
            "held_credits": exact(json.get("heldCredits")),
            "created_at": moment(json.get("createdAt")),
            "last_used_at": moment(json.get("lastUsedAt")),
            "expires_at": moment(json.get("expiresAt")),
            "revoked_at": moment(json.get("revokedAt")),
            "previous_prefix": json.get("previousPrefix"),
            "previous_value_ends_at": moment(json.get("previousValueEndsAt")),
        }


@dataclass(frozen=True, kw_only=True)
class KeyIssuer(Model):
    """The person for whom it acts."""

    id: str
    name: str

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "name": json.get("name"),
        }


@dataclass(frozen=True, kw_only=True)
class KeyWithValue(Model):
    api_key: Key
    value: str
    """The text of the key. It is shown only here."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "api_key": object_of(Key, json.get("apiKey")),
            "value": json.get("value"),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookSubscriptionList(Model):
    items: tuple[WebhookSubscription, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(WebhookSubscription, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookSubscription(Model):
    """A receiver of events, without its signing secret."""

    id: str
    address: str
    events: tuple[WebhookEventName, ...]
    paused: bool
    auto_paused_at: datetime | None
    """When it was paused because every attempt had failed for days."""
    created_at: datetime
    secret_overlap_ends_at: datetime | None
    """Until then requests are also signed with the previous secret."""
    last_delivery_day: str | None
    """The day in UTC of the last attempt."""
    last_delivery_outcome: DeliveryOutcome | None

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "address": json.get("address"),
            "events": listed(json.get("events")) or (),
            "paused": json.get("paused"),
            "auto_paused_at": moment(json.get("autoPausedAt")),
            "created_at": moment(json.get("createdAt")),
            "secret_overlap_ends_at": moment(json.get("secretOverlapEndsAt")),
            "last_delivery_day": json.get("lastDeliveryDay"),
            "last_delivery_outcome": json.get("lastDeliveryOutcome"),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookSubscriptionWithSecret(Model):
    subscription: WebhookSubscription
    signing_secret: str
    """It is shown only here."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "subscription": object_of(WebhookSubscription, json.get("subscription")),
            "signing_secret": json.get("signingSecret"),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookDelivery(Model):
    """One event or alert for one subscription, or an event for the callback of a start."""

    id: str
    """The `id` in the body, the same in every attempt."""
    kind: DeliveryKind
    subscription_id: str | None
    """Null for the callback of a start."""
    address: str
    """The URL of the receiver."""
    event: DeliveryEventName
    event_number: int
    """Counts the events of the subscription, or of the callbacks to one host, from 1 without
    gaps.
    """
    is_test: bool
    time: datetime
    """The time of the event."""
    state: DeliveryState
    attempts: int
    response_code: int | None
    """Of the latest attempt; null without a response."""
    refusal_text: str | None
    """Why it failed: our reason, then the first bytes of the reply."""
    response_snippet: str | None
    """The first bytes of the reply, with invisible characters escaped."""
    next_attempt_at: datetime | None
    """Null for a closed delivery."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "id": json.get("id"),
            "kind": json.get("kind"),
            "subscription_id": json.get("subscriptionId"),
            "address": json.get("address"),
            "event": json.get("event"),
            "event_number": json.get("eventNumber"),
            "is_test": json.get("isTest"),
            "time": moment(json.get("time")),
            "state": json.get("state"),
            "attempts": json.get("attempts"),
            "response_code": json.get("responseCode"),
            "refusal_text": json.get("refusalText"),
            "response_snippet": json.get("responseSnippet"),
            "next_attempt_at": moment(json.get("nextAttemptAt")),
        }


@dataclass(frozen=True, kw_only=True)
class WebhookDeliveryList(Model):
    items: tuple[WebhookDelivery, ...]
    next_cursor: str | None
    """The cursor of the next page; null at the end."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "items": listed(json.get("items"), lambda each: object_of(WebhookDelivery, each)) or (),
            "next_cursor": json.get("nextCursor"),
        }


@dataclass(frozen=True, kw_only=True)
class CallbackSecret(Model):
    """The secret of the callbacks of a team. It can be read again."""

    signing_secret: str
    """It signs the callbacks of starts."""
    secret_overlap_ends_at: datetime | None
    """Until then callbacks are also signed with the previous secret."""

    @classmethod
    def _fields(cls, json: Json) -> dict[str, Any]:
        return {
            "signing_secret": json.get("signingSecret"),
            "secret_overlap_ends_at": moment(json.get("secretOverlapEndsAt")),
        }
