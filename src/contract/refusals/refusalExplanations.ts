import type { Explanation } from '../explanation.ts'
import type { RefusalCode } from './refusals.ts'

/** `retryableWhen`: present when `retryable` depends on the cause. */
type RefusalExplanation = Explanation & { retryableWhen?: string }

/** An explanation of each refusal, the source of the page of errors and of the table in docs/api.md. Contract: docs/contract.md#codes. */
export const refusalExplanations: Readonly<Record<RefusalCode, RefusalExplanation>> = {
  access_denied: {
    meaning:
      'The caller may not do this. `cause` in `details`: `external_access_off`, `family_restricted`, `family_disabled_by_team`, `role`, `subscription` or `origin`.',
    remedy:
      'Choose another family, or ask for access: `family_disabled_by_team` and `role` an owner or administrator of the team, the others the operator of the service. A repeat does not help.',
  },
  account_blocked: {
    meaning: 'The operator of the service blocked the team. Its keys cannot be used, and its result links return 404.',
    remedy: 'Ask the operator of the service to unblock the team. Files and results are kept, and links then work again.',
  },
  cancel_conflict: {
    meaning: 'The generation changed its state during the cancel, or its result is being stored, which cannot be cancelled.',
    remedy: 'Read the generation again. While it is `finalizing`, wait for its end. Otherwise repeat the cancel.',
  },
  cost_above_limit: {
    meaning: 'The exact price is above the `maxCredits` of the request, or above the price of the quote. Nothing was charged or held.',
    remedy: 'Compare `credits` with `maxCredits` in `details`. Raise `maxCredits`, or choose cheaper axes or parameters.',
  },
  credit_reservation_failed: {
    meaning: 'The account had enough credits, but they could not be held. Nothing was started or charged.',
    remedy: 'Repeat the same request with the same `Idempotency-Key`.',
  },
  family_not_found: {
    meaning: 'The catalog has no family with this identifier.',
    remedy: 'Use an `id` from `GET /families`. `nearest` in `details`, if present, is the most similar `id`.',
  },
  family_unavailable: {
    meaning: 'The family is disabled for a while, by the operator or because its models failed repeatedly.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat, or choose another family.',
  },
  file_fetch_failed: {
    meaning:
      'The file could not be downloaded from the link. `cause` in `details` is `dns`, `connect`, `timeout`, `status`, `private_address` or `redirect`.',
    remedy:
      'Check that the link works from the public internet, without a sign-in and with at most three redirects. Or upload the content.',
    retryableWhen: 'after a time-out, or after a status of 500 or above',
  },
  file_metadata_missing: {
    meaning: 'The price depends on a measurement of an input, such as its duration, that is not available yet.',
    remedy:
      'Read the file until its `state` is `ready`, then repeat. If the measurement is still missing, upload the file in another format.',
  },
  file_not_found: {
    meaning:
      'An identifier is not that of a file or generation of the team, has the wrong media type for its field, or its generation has no result.',
    remedy: 'Check `ids` and `field` in `details`. Upload the file with a key of the same team, or use a field from `reusableAs`.',
  },
  file_not_ready: {
    meaning: 'A file is still being checked, an input generation has not ended, or an open generation still uses the file.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat.',
  },
  file_processing_failed: {
    meaning: 'The file has a supported format, but is truncated, corrupt, or larger than 100 million pixels when decoded.',
    remedy: 'Export the file again, smaller if necessary, and upload the new file.',
  },
  file_quota_exceeded: {
    meaning: 'The team has as many files, or bytes of files, as it may keep without using them in a generation. `details` has the numbers.',
    remedy: 'Delete files of `GET /files?unused=true`, or use them. Unused files expire by themselves after 30 days.',
  },
  generation_not_found: {
    meaning: 'The team has no generation with this identifier.',
    remedy: 'Check the identifier, which starts with `gen_`. Check that the key belongs to the team that started the generation.',
  },
  idempotency_conflict: {
    meaning: 'This `Idempotency-Key` was used with another request in the last 24 hours. Nothing was started.',
    remedy: 'Use a new key for each new request. Send the same body with the same key only to repeat a request.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` is still in progress.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat the same request. It returns the response of the first one.',
  },
  insufficient_credits: {
    meaning: 'The team has fewer credits available than the price. Credits held by open generations are not available.',
    remedy:
      'If `retryable` is true, repeat when open generations have ended. Otherwise ask the operator to add credits, or choose a cheaper request.',
    retryableWhen: 'when the credits held by open generations would be enough',
  },
  insufficient_scope: {
    meaning: 'The key does not have the scope that the endpoint requires.',
    remedy:
      'Compare `required` with `granted` in `details`, and use a key with the scope. An owner or administrator of the team can issue one.',
  },
  internal_error: {
    meaning: 'The service failed. The failure is in its log.',
    remedy:
      'Repeat with exponential backoff, a start with its `Idempotency-Key`. If it fails again, send the `X-Request-Id` to the operator.',
  },
  invalid_cursor: {
    meaning: 'The cursor was changed, or belongs to another list or filter.',
    remedy: 'Pass `nextCursor` unchanged, with the same filter. Or remove `cursor` to start at the first page.',
  },
  invalid_parameters: {
    meaning: 'A value in `parameters`, `axes` or `prompt` does not match the chosen variant. `issues` in `details` has the place of each.',
    remedy: 'Compare the request with the schema in `parameters` of the variant, from `GET /families/{id}`. Correct each issue.',
  },
  invalid_request: {
    meaning: 'The body, the query, the path or a header is not valid. `issues` in `details` has the place of each problem.',
    remedy: 'Correct each issue. The codes of issues are explained below.',
  },
  invalid_token: {
    meaning: 'The key does not exist, was revoked, or has expired.',
    remedy:
      'Compare the first 12 characters of the key with the list of keys, and use a valid key. A lost key cannot be shown again: issue a new one.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but does not support this method.',
    remedy: 'Use a method from the `Allow` header. For example, an estimate is a POST.',
  },
  not_cancellable: {
    meaning: 'The editor started the generation, and only the editor can cancel it.',
    remedy: 'Cancel the generation in the editor.',
  },
  not_found: {
    meaning: 'The address does not exist. Or a result link was changed, has expired, or ended with its key or its result.',
    remedy: 'Check the path, which starts with `/api/v1`. To get a new result link, read the generation again.',
  },
  payload_too_large: {
    meaning: 'The body, or the file at a link, is larger than `maxBytes` in `details`.',
    remedy: 'Send a smaller body or file.',
  },
  price_unavailable: {
    meaning: 'The price depends on parameters that the request does not set.',
    remedy: 'Set the parameters in `missing` of `details`.',
  },
  queue_unavailable: {
    meaning: 'The generation could not be queued. Nothing was held or started.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat with the same `Idempotency-Key`.',
  },
  rate_limited: {
    meaning: 'The user, or the IP address of requests without a key, has sent more requests in this minute than allowed.',
    remedy: 'Wait for the seconds in `Retry-After`. Use `?wait=` or webhooks instead of polling.',
  },
  service_unavailable: {
    meaning: 'The service or one of its dependencies is temporarily unavailable or restarting.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat, a start with the same `Idempotency-Key`.',
  },
  spend_limit_exceeded: {
    meaning:
      'The price exceeds a ceiling of the key, or the monthly budget of the team. `limitKind` is `single` for the ceiling of one request, `daily` for the ceiling of a day, `monthly` for that of a month; then `limitOwner` is `key` or `team`.',
    remedy:
      'A daily or monthly ceiling resets at `resetsAt`. For a single ceiling, use a key with a higher ceiling, or cheaper parameters.',
    retryableWhen: 'when the daily or monthly ceiling is reached and the price alone is not above it',
  },
  subscription_required: {
    meaning: "The family, or access for agents, requires an active subscription. The subscription of the key's user is not active.",
    remedy: 'Ask the operator of the service to activate the subscription, or choose another family.',
  },
  team_expired: {
    meaning: "The team's plan has ended.",
    remedy: 'Ask the operator of the service to extend the plan. Keys, files and history are kept.',
  },
  team_required: {
    meaning:
      'The user of the key, or the person who rotated it and saw this value, has no team or may not spend for it. `missing` is `team` or `role`.',
    remedy:
      "Ask an owner or administrator of the team to issue a key, or to restore the role of the key's user. If the person who rotated the key lost the role, rotate the key again.",
  },
  too_many_concurrent: {
    meaning: 'The user has the maximum of requests in progress. An open `wait` or event stream counts as one.',
    remedy: 'Wait for the seconds in `Retry-After`, and send fewer requests at once. `X-Concurrency-Limit` is the maximum.',
  },
  too_many_open: {
    meaning: 'The team has the maximum of open generations in this family. Queued, running and finalizing generations count.',
    remedy: 'Wait until some of them have ended, at least for the seconds in `Retry-After`. Then repeat with the same `Idempotency-Key`.',
  },
  unauthorized: {
    meaning: 'The request has no key, or the key is not a bearer token.',
    remedy: 'Send the header `Authorization: Bearer atl_…`.',
  },
  unsupported_content_type: {
    meaning: 'The endpoint does not support this content type, content encoding or charset.',
    remedy: 'Use a content type from `allowed` in `details`, in UTF-8 and without compression.',
  },
  unsupported_file_format: {
    meaning:
      'The format of the content is not supported, the content is empty, or it does not match the declared type. The file name is ignored.',
    remedy: 'Convert the file to a format from `allowed` in `details`. Declare that type, or no type.',
  },
  variant_not_resolved: {
    meaning: 'No variant of the family takes this combination of inputs, axes and `modelId`.',
    remedy:
      'Compare the request with `available` in `details`. Add the inputs in `missingInputs`, and remove the inputs in `excessInputs`.',
  },
}
