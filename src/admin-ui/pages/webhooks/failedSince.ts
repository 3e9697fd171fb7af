import type { Client } from 'urql'
import { graphql } from '../../api/graphql.ts'

const DaysQuery = graphql(`
  query WebhookDays($id: ID!) {
    webhookSubscription(id: $id) {
      id
      healthByDay {
        day
        delivered
        failedAttempts
      }
    }
  }
`)

type Day = { day: string; delivered: number; failedAttempts: number }

/** Retries of a delivery that was open at the pause began at most this long before, with the usual delays. */
const retriesMs = 3_600_000

/**
 * When a webhook that was paused at `pausedAt` began to fail: the start in UTC of the day of its last success, else of its first failure.
 * Without both, an hour before the pause.
 */
export function failedSince(days: readonly Day[], pausedAt: string): string {
  const lastGood = days.findLast(({ delivered }) => delivered > 0)
  const first = lastGood ?? days.find(({ failedAttempts }) => failedAttempts > 0)
  const before = new Date(Date.parse(pausedAt) - retriesMs).toISOString()
  const start = first && `${first.day}T00:00:00.000Z`
  return start && start < before ? start : before
}

/** Reads {@link failedSince} of a webhook. If the days cannot be read, it is an hour before the pause. */
export async function readFailedSince(client: Client, id: string, pausedAt: string): Promise<string> {
  const { data } = await client.query(DaysQuery, { id }, { requestPolicy: 'network-only' }).toPromise()
  return failedSince(data?.webhookSubscription?.healthByDay ?? [], pausedAt)
}
