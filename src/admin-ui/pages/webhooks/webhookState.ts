import type { BadgeState } from '../../ui/display/StateBadge.tsx'
import type { Webhook } from './webhooksQuery.ts'

type Watched = Pick<Webhook, 'paused' | 'lastDeliveryOutcome'> & { health: Pick<Webhook['health'], 'failedAttempts'> }
type Hours = Pick<Webhook['health'], 'hours'>

/** The state of a webhook: `FAILING` while the last delivery failed or is retried, and attempts failed within 24 hours. */
export function webhookState({ paused, lastDeliveryOutcome, health }: Watched): Extract<BadgeState, 'ACTIVE' | 'FAILING' | 'PAUSED'> {
  if (paused) return 'PAUSED'
  const hasFailed = lastDeliveryOutcome === 'FAILED' || lastDeliveryOutcome === 'RETRYING'
  return hasFailed && health.failedAttempts > 0 ? 'FAILING' : 'ACTIVE'
}

/**
 * The first hour with a failed attempt after the last hour with a delivery, of the last 24 hours. `orEarlier`: it is the
 * first of them, so the failures may have begun before.
 */
export function failingSince({ hours }: Hours): { start: string; orEarlier: boolean } | undefined {
  const last = hours.findLastIndex(({ delivered }) => delivered > 0)
  // An hour may have deliveries before its failures.
  const first = hours.findIndex(({ failedAttempts }, place) => place >= Math.max(0, last) && failedAttempts > 0)
  const hour = hours[first]
  return hour && { start: hour.start, orEarlier: first === 0 }
}

/** The start of the last hour with an attempt, of the last 24 hours. */
export function lastAttemptHour({ hours }: Hours): string | undefined {
  return hours.findLast(({ delivered, failedAttempts }) => delivered + failedAttempts > 0)?.start
}
