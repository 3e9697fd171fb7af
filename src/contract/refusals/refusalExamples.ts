import type { DocUrls } from '../docUrl.ts'
import { presentRefusal, type RefusalBody } from './refusalBody.ts'
import { type DetailsOf, Refusal, type RefusalCode } from './refusals.ts'

/** `retryable`: present when it differs from the table. */
type ExampleDetails<Code extends RefusalCode> = { details: DetailsOf<Code>; retryable?: boolean }

const file = 'file_01kabc5m1dexampleexample00'
const noInputs = { min: 0, max: 0, mimeTypes: [] }

/** An example of a refusal with that code. Contract: docs/contract.md#refusal-object. */
export function refusalExample<Code extends RefusalCode>(code: Code, docUrls: DocUrls): RefusalBody {
  const example: ExampleDetails<Code> | undefined = details[code]
  const { retryable } = example ?? {}
  return presentRefusal(new Refusal(code, example?.details, retryable === undefined ? {} : { retryable }), docUrls)
}

/** Other codes have no details. */
const details: { [Code in RefusalCode]?: ExampleDetails<Code> } = {
  access_denied: { details: { cause: 'external_access_off' } },
  cancel_conflict: { details: { state: 'finalizing' } },
  cost_above_limit: { details: { credits: 8, maxCredits: 5 } },
  credit_reservation_failed: { details: { credits: 8 } },
  family_not_found: { details: { familyId: 'no-such-family' } },
  family_unavailable: { details: { familyId: 'sandbox-offline', retryAfterSeconds: 60 } },
  file_fetch_failed: { details: { cause: 'status', status: 404 } },
  file_metadata_missing: { details: { fileId: file, missing: ['durationSeconds'] } },
  file_not_found: { details: { ids: [file], field: 'imageIds' } },
  file_not_ready: { details: { fileIds: [file], retryAfterSeconds: 3 } },
  file_processing_failed: { details: { fileId: file, cause: 'truncated' } },
  file_quota_exceeded: { details: { filesUsed: 10_000, filesMax: 10_000, bytesUsed: 4_200_000_000, bytesMax: 10_737_418_240 } },
  idempotency_conflict: { details: { idempotencyKey: 'order-4711' } },
  idempotency_in_progress: { details: { retryAfterSeconds: 1 } },
  insufficient_credits: { details: { credits: 8, creditsAvailable: 2.5, creditsHeld: 0 } },
  insufficient_scope: { details: { required: 'generations:write', granted: ['catalog:read', 'generations:read'] } },
  invalid_parameters: {
    details: {
      issues: [{ in: 'body', path: ['parameters', 'width'], code: 'too_big', message: 'Takes at most 2048.' }],
      modelId: 'sandbox-image.text-to-image.draft',
    },
  },
  invalid_request: {
    details: { issues: [{ in: 'body', path: ['familyId'], code: 'required', message: 'This field is required.' }] },
  },
  not_cancellable: { details: { source: 'editor' } },
  payload_too_large: { details: { maxBytes: 262_144 } },
  price_unavailable: { details: { modelId: 'sandbox-video.text-to-video.turbo', missing: ['durationSeconds'] } },
  rate_limited: { details: { limit: 600, retryAfterSeconds: 42 } },
  spend_limit_exceeded: {
    details: {
      limitKind: 'daily',
      limitCredits: 500,
      credits: 8,
      spentCredits: 480,
      heldCredits: 14,
      resetsAt: '2026-11-21T00:00:00.000Z',
    },
    retryable: true,
  },
  subscription_required: { details: { familyId: 'sandbox-locked' } },
  team_required: { details: { missing: 'role' } },
  too_many_concurrent: { details: { limit: 32, retryAfterSeconds: 1 } },
  too_many_open: { details: { limit: 1000, retryAfterSeconds: 10 } },
  unsupported_content_type: { details: { received: 'text/plain', allowed: ['application/json'] } },
  unsupported_file_format: {
    details: { detected: 'application/pdf', declared: 'image/png', allowed: ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'] },
  },
  variant_not_resolved: {
    details: {
      available: [
        {
          modelId: 'sandbox-image.text-to-image.pro',
          task: 'text-to-image',
          axes: { version: 'pro' },
          inputs: {
            prompt: { required: true, maxLength: 2000 },
            images: { ...noInputs, field: 'imageIds' },
            videos: { ...noInputs, field: 'videoId' },
            audios: { ...noInputs, field: 'audioIds' },
            models3d: { ...noInputs, field: 'model3dIds' },
          },
        },
      ],
      missingInputs: [],
      excessInputs: ['imageIds'],
      maxMediaInputs: 20,
    },
  },
}
