import type { RefusalCode } from '../../contract/refusals.ts'

/** What a request for work may be refused with, before any money is looked at. */
export const planRefusals: RefusalCode[] = [
  'unsupported_content_type',
  'payload_too_large',
  'family_not_found',
  'family_unavailable',
  'subscription_required',
  'variant_not_resolved',
  'invalid_parameters',
  'file_not_found',
  'file_not_ready',
  'file_metadata_missing',
  'price_unavailable',
]
