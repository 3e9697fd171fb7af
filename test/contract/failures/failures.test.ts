import { expect, test } from 'vitest'
import { failureTable } from '../../../src/contract/failures/failures.ts'

type Row = { retryable: boolean; reasons: Record<string, string> }

/** Class → whether a repeat may pass, and its reasons with the hint that goes with each. */
const published: Record<string, Row> = {
  content_policy: {
    retryable: false,
    reasons: { prompt_rejected: 'change_content', input_rejected: 'change_content', output_rejected: 'change_content' },
  },
  prompt_validation: {
    retryable: false,
    reasons: { prompt_too_long: 'shorten_prompt', prompt_failed: 'rewrite_prompt', prompt_images_failed: 'replace_images' },
  },
  parameter_validation: {
    retryable: false,
    reasons: { parameter_rejected: 'fix_parameters', input_rejected_by_model: 'fix_parameters' },
  },
  file_size: { retryable: false, reasons: { file_too_large: 'resize_file', file_too_small: 'resize_file' } },
  image_size: {
    retryable: false,
    reasons: { image_too_small: 'resize_image', image_too_large: 'resize_image', aspect_ratio_rejected: 'resize_image' },
  },
  image_format: { retryable: false, reasons: { image_unreadable: 'reencode_image' } },
  feature_limitation: { retryable: false, reasons: { not_supported: 'choose_other_family' } },
  model_unavailable: { retryable: true, reasons: { model_offline: 'retry_later', model_at_capacity: 'retry_later' } },
  insufficient_credits: { retryable: false, reasons: { credits_exhausted: 'top_up' } },
  authentication: { retryable: true, reasons: { provider_access_closed: 'retry_later' } },
  timeout: { retryable: true, reasons: { model_timeout: 'retry', deadline_exceeded: 'retry' } },
  provider_error: { retryable: true, reasons: { provider_failed: 'retry', result_expired: 'retry' } },
  internal_error: { retryable: true, reasons: { unclassified: 'retry', storage_failed: 'retry', submit_unknown: 'retry' } },
  user_cancellation: { retryable: false, reasons: { cancelled_upstream: 'none' } },
}

test('failures have the published classes, reasons and hints', () => {
  const ours = Object.entries(failureTable).map(([name, { retryable, reasons }]) => {
    const hints = Object.fromEntries(Object.entries(reasons).map(([reason, { hint }]) => [reason, hint]))
    return [name, { retryable, reasons: hints }]
  })
  expect(Object.fromEntries(ours)).toEqual(published)
})
