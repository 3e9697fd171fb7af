import type { AvailableVariant, Credits, Issue, Moment, RefusalCode } from '../openapi.ts'

/** The details of each code. Codes that are missing here have none. A test compares this with the service. */
type DetailsByCode = {
  /** `family_disabled_by_team`, `role`: an owner or administrator of the team can help; the others: the operator of the service. */
  access_denied: {
    cause: 'external_access_off' | 'family_restricted' | 'family_disabled_by_team' | 'role' | 'subscription' | 'origin'
  }
  cancel_conflict: { state: string }
  /** `confirmAboveCredits` when a person must agree first. */
  cost_above_limit: { credits: Credits; maxCredits: Credits; confirmAboveCredits?: Credits }
  credit_reservation_failed: { credits: Credits }
  family_not_found: { familyId?: string; nearest?: string }
  family_unavailable: { familyId: string; retryAfterSeconds: number }
  file_fetch_failed: { cause: string; status?: number }
  file_metadata_missing: { fileId: string; missing: string[] }
  file_not_found: { ids: string[]; field: string | null }
  file_not_ready: { fileIds: string[]; retryAfterSeconds: number }
  file_processing_failed: { fileId: string | null; cause: string }
  file_quota_exceeded: { filesUsed: number; filesMax: number; bytesUsed: number; bytesMax: number }
  idempotency_conflict: { idempotencyKey: string }
  idempotency_in_progress: { retryAfterSeconds: number }
  insufficient_credits: { credits: Credits; creditsAvailable: Credits; creditsHeld: Credits }
  insufficient_scope: { required?: string; granted: string[] }
  invalid_parameters: { issues: Issue[]; modelId: string | null }
  invalid_request: { issues: Issue[] }
  not_cancellable: { source: string }
  payload_too_large: { maxBytes: number }
  price_unavailable: { modelId: string; missing: string[] }
  queue_unavailable: { retryAfterSeconds: number }
  rate_limited: { limit: number; retryAfterSeconds: number }
  service_unavailable: { retryAfterSeconds: number }
  spend_limit_exceeded:
    | { limitKind: 'single'; limitCredits: Credits; credits: Credits }
    | {
        limitKind: 'daily'
        limitCredits: Credits
        credits: Credits
        spentCredits: Credits
        heldCredits: Credits
        /** When the daily ceiling resets. */
        resetsAt: Moment
      }
    | {
        limitKind: 'monthly'
        /** Whose ceiling it is: `team` for the monthly budget that all keys share. */
        limitOwner: 'key' | 'team'
        limitCredits: Credits
        credits: Credits
        spentCredits: Credits
        heldCredits: Credits
        /** When the month ends. */
        resetsAt: Moment
      }
  subscription_required: { familyId: string }
  team_required: { missing: 'team' | 'role' }
  too_many_concurrent: { limit: number; retryAfterSeconds: number }
  too_many_open: { limit: number; retryAfterSeconds: number }
  unsupported_content_type: { received: string | null; allowed: string[] }
  unsupported_file_format: { detected: string | null; declared: string | null; allowed: string[] }
  variant_not_resolved: {
    available: AvailableVariant[]
    missingInputs: string[]
    excessInputs: string[]
    maxMediaInputs: number
    nearest?: string
  }
}

/** The details of a refusal with this code. */
export type DetailsOf<Code extends RefusalCode> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : Record<string, never>
