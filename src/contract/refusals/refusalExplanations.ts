import type { Explanation } from '../explanation.ts'
import type { RefusalCode } from './refusals.ts'

/** `retryableWhen` stands where the table's value is not the whole truth. */
type RefusalExplanation = Explanation & { retryableWhen?: string }

/** Each refusal explained: the page of errors and the table of docs/api.md are made from it. Contract: docs/contract.md#codes. */
export const refusalExplanations: Readonly<Record<RefusalCode, RefusalExplanation>> = {
  access_denied: {
    meaning: 'External access is switched off for the team of the key, or what was asked for is not open to the caller.',
    remedy:
      "`message` says which. An owner or administrator of the team, or the service's operator, can open it; until then a repeat changes nothing.",
  },
  account_blocked: {
    meaning: "The team was blocked by the service's operator: its keys start nothing, and its result links answer 404.",
    remedy: "Ask the service's operator. Files and results are kept, and links live again once the team is unblocked.",
  },
  cancel_conflict: {
    meaning: 'The cancel met a generation that just changed its state, or one whose result is being stored, which nothing stops any more.',
    remedy: 'Read the generation again. While it is `finalizing`, wait for its end; otherwise cancel once more.',
  },
  cost_above_limit: {
    meaning: 'The exact price is above the `maxCredits` of the request, or has risen since a quote. Nothing was held.',
    remedy: 'Compare `credits` with `maxCredits` in `details`; raise the limit, or choose cheaper axes or parameters.',
  },
  credit_reservation_failed: {
    meaning: 'The credits were there a moment ago, but could not be held. Nothing was started or charged.',
    remedy: 'Repeat the same request with the same `Idempotency-Key`.',
  },
  family_not_found: {
    meaning: 'The catalog has no family of this identifier.',
    remedy: 'Take an `id` from `GET /families`. `nearest` in `details` is the most similar one, where there is one.',
  },
  family_unavailable: {
    meaning: 'The family is switched off for a while, by its operator or because its models failed again and again.',
    remedy: 'Wait for as long as `Retry-After` says and repeat, or choose another family.',
  },
  file_fetch_failed: {
    meaning:
      'The file at the link could not be fetched; `cause` in `details` tells where it ended: `dns`, `connect`, `timeout`, `status`, `private_address` or `redirect`.',
    remedy:
      'Make sure that the link opens without signing in, from the public internet, and by at most three redirects; or upload the bytes instead.',
    retryableWhen: 'after a time-out, or a status of 500 and above',
  },
  file_metadata_missing: {
    meaning: 'The price depends on a measure of an input, such as its duration, that is not known yet.',
    remedy:
      'Read the file until its `state` is `ready`, then repeat. If the measure still is missing, upload the file again in a common format.',
  },
  file_not_found: {
    meaning:
      'An identifier belongs to no file or generation of the team, is of another kind than its field takes, or its generation made nothing.',
    remedy: 'Check `ids` and `field` in `details`. Upload the file with a key of the same team, or use the field that `reusableAs` names.',
  },
  file_not_ready: {
    meaning: 'A file is still being checked, an input generation has not ended, or running work still needs the file.',
    remedy: 'Wait for as long as `Retry-After` says and repeat.',
  },
  file_processing_failed: {
    meaning: 'The file was taken for what it says it is, but is broken: cut off, corrupt, or larger than 100 million pixels when decoded.',
    remedy: 'Open it on your side, save it anew or smaller, and upload that.',
  },
  generation_not_found: {
    meaning: 'No generation of the team has this identifier.',
    remedy: 'Check the identifier, which begins with `gen_`, and that the key belongs to the team that started it.',
  },
  idempotency_conflict: {
    meaning: 'This `Idempotency-Key` already went with another request within the last 24 hours. Nothing was started.',
    remedy: 'Make a new key for each new piece of work, and send the same body with the same key when you repeat.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this `Idempotency-Key` is still being worked on.',
    remedy: 'Wait for as long as `Retry-After` says and repeat the same request; the answer will be the first one.',
  },
  insufficient_credits: {
    meaning: 'The team has fewer credits available than the price. What other running work holds is not available.',
    remedy: 'Where `retryable` is true, repeat when running work has ended. Otherwise have credits added, or choose cheaper work.',
    retryableWhen: 'where holds of running work alone stand in the way',
  },
  insufficient_scope: {
    meaning: 'The key was issued without the scope that the endpoint needs.',
    remedy:
      'Compare `required` with `granted` in `details`, and use a key that has the scope; an owner or administrator of the team issues one.',
  },
  internal_error: {
    meaning: 'Something went wrong on our side, and was written down there.',
    remedy: 'Repeat with growing pauses, a start with its `Idempotency-Key`. If it stays, tell the operator the `X-Request-Id`.',
  },
  invalid_cursor: {
    meaning: 'The cursor was altered, or does not come from an earlier answer to this very list with this very filter.',
    remedy: 'Pass `nextCursor` as it came, with the same filter; or leave `cursor` out and begin anew.',
  },
  invalid_parameters: {
    meaning: 'Something under `parameters`, `axes` or `prompt` does not fit the chosen variant; `issues` in `details` names each place.',
    remedy: 'Check the request against the `parameters` schema of the variant, in `GET /families/{id}`, and correct what `issues` lists.',
  },
  invalid_request: {
    meaning: 'The body, query, path or a header cannot be read or breaks a rule of the endpoint; `issues` in `details` names each place.',
    remedy: 'Correct what `issues` lists. Its codes are explained below.',
  },
  invalid_token: {
    meaning: 'The key does not exist, was revoked, or has expired.',
    remedy:
      'Compare its first 12 characters with the list of keys, and use one that lives. A lost key cannot be shown again: issue a new one.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but takes other methods.',
    remedy: 'Use a method that the `Allow` header names. An estimate, for one, is a POST.',
  },
  not_cancellable: {
    meaning: 'The generation was started in the editor, and only the editor cancels it.',
    remedy: 'Cancel it there.',
  },
  not_found: {
    meaning: 'There is no such address, or a result link was altered, has expired, or died with its key or its result.',
    remedy: 'Check the path, which begins with `/api/v1`. For a new result link, read the generation again.',
  },
  payload_too_large: {
    meaning: 'The body, or the file at a link, is larger than `maxBytes` in `details`; or the unused files of the team together are.',
    remedy: 'Send less, or a smaller file. Where `unusedBytes` is given, use or delete files that no generation has used.',
  },
  price_unavailable: {
    meaning: 'The price depends on parameters that the request leaves open.',
    remedy: 'Give the parameters that `missing` in `details` names.',
  },
  queue_unavailable: {
    meaning: 'The work could not be queued. Nothing was held or started.',
    remedy: 'Repeat with growing pauses and the same `Idempotency-Key`.',
  },
  rate_limited: {
    meaning: 'More requests in this minute than one user, or one address without a key, may send.',
    remedy: 'Wait for as long as `Retry-After` says. Let `?wait=` or webhooks replace polling.',
  },
  service_unavailable: {
    meaning: 'The service, or something that it needs, cannot be reached for the moment, or is just restarting.',
    remedy: 'Wait for as long as `Retry-After` says and repeat, a start with the same `Idempotency-Key`.',
  },
  spend_limit_exceeded: {
    meaning: 'The price would pass a ceiling of the key: `limitKind` says whether the one for a single request or the one for a day.',
    remedy: 'A daily ceiling counts anew at `resetsAt`. A dearer single request needs a key with a higher ceiling, or cheaper parameters.',
    retryableWhen: 'where the ceiling of the day is hit, and the price alone is not above it',
  },
  subscription_required: {
    meaning: "The family, or access for agents, is open to people with an active subscription, and that of the key's user is not.",
    remedy: "Have the service's operator activate it, or choose another family.",
  },
  team_expired: {
    meaning: "The term of the team's plan is over.",
    remedy: "Have the service's operator extend it. Keys, files and history are kept.",
  },
  team_required: {
    meaning:
      'The key stands for nobody who may spend for a team: its user, or the person who rotated it and was shown this value, has no team, or is no longer owner or administrator; `missing` says which.',
    remedy:
      "Have an owner or administrator of the team issue a key, or give the key's user that role again. Where only the person who rotated it is missing, rotate the key again.",
  },
  too_many_concurrent: {
    meaning: 'As many requests as one user may have in progress are open at this moment. An open `wait` or event stream is one.',
    remedy: 'Wait for as long as `Retry-After` says, and let fewer requests run at once; `X-Concurrency-Limit` tells how many.',
  },
  too_many_open: {
    meaning: 'The team has as many open generations in this family as it may have at once: queued, running and finalizing ones together.',
    remedy: 'Wait until some of them have ended, `Retry-After` at least, and repeat with the same `Idempotency-Key`.',
  },
  unauthorized: {
    meaning: 'The request carries no key, or not as a bearer token.',
    remedy: 'Send the header `Authorization: Bearer atl_…`.',
  },
  unsupported_content_type: {
    meaning: 'The endpoint does not take this content type, content encoding or charset.',
    remedy: 'Send one that `allowed` in `details` lists, in UTF-8 and without compression.',
  },
  unsupported_file_format: {
    meaning: 'The content is of no accepted format, is empty, or is something else than its declared type. Its bytes count, not its name.',
    remedy: 'Convert it to a format that `allowed` in `details` lists, and declare that type or none.',
  },
  variant_not_resolved: {
    meaning: 'No variant of the family takes this set of inputs, axes and `modelId`.',
    remedy: 'Compare the request with `available` in `details`: add what `missingInputs` names, leave out what `excessInputs` names.',
  },
}
