import { type IssueCode, invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { WebhookEvent } from '../../../entities/WebhookSubscription.ts'

/** Checks the events of a subscription. Refusals: invalid_request at `events` when it is empty or has an event twice. */
export function readEvents(events: readonly WebhookEvent[]): WebhookEvent[] {
  const refusal = (code: IssueCode, message: string) => invalidRequest({ in: 'body', path: ['events'], code, message })
  if (events.length === 0) throw refusal('too_small', 'Takes one or more events.')
  if (new Set(events).size < events.length) throw refusal('conflict', 'Takes each event once.')
  return [...events]
}
