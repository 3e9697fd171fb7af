import { type IssueCode, invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { WebhookEvent } from '../../../entities/WebhookSubscription.ts'

/** Reads the events that a subscription wants. Refusals: invalid_request at `events` for none, or one twice. */
export function readEvents(asked: readonly WebhookEvent[]): WebhookEvent[] {
  const refusal = (code: IssueCode, message: string) => invalidRequest({ in: 'body', path: ['events'], code, message })
  if (asked.length === 0) throw refusal('too_small', 'Takes one or more events.')
  if (new Set(asked).size < asked.length) throw refusal('conflict', 'Takes each event once.')
  return [...asked]
}
