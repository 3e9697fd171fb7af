import type { RefusalCode } from './refusals.ts'

/**
 * The stages of checks in their order, each with its refusals. The first failing stage is reported. A repeat of a start skips the stages
 * after `idempotency`. Contract: docs/contract.md#order-of-checks.
 */
export const orderOfChecks = {
  key: ['unauthorized', 'invalid_token'],
  'rate and concurrency': ['rate_limited', 'too_many_concurrent'],
  'account, team and role': ['account_blocked', 'access_denied', 'team_expired', 'team_required'],
  scope: ['insufficient_scope'],
  'content type and size': ['unsupported_content_type', 'payload_too_large'],
  'body or query': ['invalid_request'],
  idempotency: ['idempotency_conflict', 'idempotency_in_progress'],
  family: ['family_not_found', 'family_unavailable', 'subscription_required'],
  'axes and variant': ['variant_not_resolved'],
  parameters: ['invalid_parameters'],
  inputs: ['file_not_found', 'file_processing_failed', 'file_not_ready', 'file_metadata_missing'],
  price: ['price_unavailable'],
  // The caller's `maxCredits`, then the key's confirmation above a price.
  maxCredits: ['cost_above_limit'],
  'single ceiling': ['spend_limit_exceeded'],
  'daily ceiling': ['spend_limit_exceeded'],
  // Of the key, then of the team.
  'monthly ceiling': ['spend_limit_exceeded'],
  credits: ['insufficient_credits', 'credit_reservation_failed'],
  'open work': ['too_many_open'],
} as const satisfies Record<string, readonly RefusalCode[]>

export type Stage = keyof typeof orderOfChecks

/** Every stage, in order. */
export const stages = Object.keys(orderOfChecks) as readonly Stage[]

/** The refusals of the stages from `first` to `last`, both included, in order. */
export function refusalsOf(first: Stage, last: Stage = first): RefusalCode[] {
  const these = stages.slice(stages.indexOf(first), stages.indexOf(last) + 1)
  return [...new Set<RefusalCode>(these.flatMap((stage) => orderOfChecks[stage]))]
}

/** The checks of some stages, in the order of the stages. */
export function sortByCheckOrder<Check>(checks: Partial<Record<Stage, Check>>): Check[] {
  return stages.flatMap((stage) => checks[stage] ?? [])
}
