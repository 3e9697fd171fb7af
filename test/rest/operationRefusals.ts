/** The refusals that the contract gives every operation. */
const everywhere = [
  'unauthorized',
  'invalid_token',
  'rate_limited',
  'too_many_concurrent',
  'access_denied',
  'account_blocked',
  'team_expired',
]
export const always = [...everywhere, 'team_required', 'insufficient_scope', 'invalid_request', 'internal_error', 'service_unavailable']
const bodies = ['unsupported_content_type', 'payload_too_large']
const plan = [...bodies, 'family_not_found', 'family_unavailable', 'subscription_required', 'variant_not_resolved', 'invalid_parameters']
const priced = [...plan, 'file_not_found', 'file_not_ready', 'file_metadata_missing', 'file_processing_failed', 'price_unavailable']
const spending = ['cost_above_limit', 'spend_limit_exceeded', 'insufficient_credits', 'credit_reservation_failed']
const held = [...spending, 'too_many_open', 'queue_unavailable']

/** The further refusals of each operation. */
export const refusals: Record<string, string[]> = {
  listFamilies: [],
  getFamily: ['family_not_found'],
  listFiles: ['invalid_cursor'],
  uploadFile: [...bodies, 'file_quota_exceeded', 'file_fetch_failed', 'unsupported_file_format', 'file_processing_failed'],
  getFile: ['file_not_found'],
  deleteFile: ['file_not_found', 'file_not_ready'],
  estimateGeneration: priced,
  startGeneration: [...priced, 'idempotency_conflict', 'idempotency_in_progress', ...held],
  startBatch: bodies,
  getGeneration: ['generation_not_found'],
  followGeneration: ['generation_not_found'],
  deleteResult: ['generation_not_found', 'file_not_ready'],
  listGenerations: ['invalid_cursor'],
  cancelGeneration: [...bodies, 'generation_not_found', 'cancel_conflict', 'not_cancellable'],
  getAccount: [],
  getUsage: [],
  listKeys: ['invalid_cursor'],
  issueKey: bodies,
  getKey: ['not_found'],
  updateKey: [...bodies, 'not_found'],
  revokeKey: ['not_found'],
  rotateKey: [...bodies, 'not_found'],
  listWebhooks: ['invalid_cursor'],
  createWebhook: bodies,
  getWebhook: ['not_found'],
  updateWebhook: [...bodies, 'not_found'],
  deleteWebhook: ['not_found'],
  rotateWebhookSecret: [...bodies, 'not_found'],
  sendTestEvent: [...bodies, 'not_found'],
  listDeliveries: ['invalid_cursor', 'not_found'],
  listTeamDeliveries: ['invalid_cursor'],
  getDelivery: ['not_found'],
  redeliver: [...bodies, 'not_found'],
  getCallbackSecret: [],
  rotateCallbackSecret: bodies,
  getDescription: [],
}
