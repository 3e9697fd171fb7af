import { invariant } from '../../invariant.ts'
import { type Sql, statement } from '../../sql.ts'
import type { AdmissionResult } from './admitRequests.ts'

const countAgain = statement<{ requestsCounted: number; slotsUsed: number; windowCounted: string }>(
  'count_more_requests',
  "select requests_counted, slots_used, window_counted from count_requests('session:' || $1, $2, $3, $4, 0, 0, $5)",
)

/** `windowEndsAt` in Unix seconds. */
export type ExtraRequestCount = Pick<AdmissionResult, 'requestsCounted' | 'slotsUsed' | 'windowEndsAt'>

type More = { userId: string; requests: number; processId: string; minute: number; slotsMax: number }

/**
 * Counts `requests` more requests of a person with an admitted session. Takes no slots.
 * Contract: docs/contract.md#rate-and-concurrency.
 */
export async function countExtraRequests(sql: Sql, { userId, requests, processId, minute, slotsMax }: More): Promise<ExtraRequestCount> {
  const row = await sql.one(countAgain, [userId, processId, minute, requests, slotsMax])
  invariant(row, 'count_requests returns one row')
  const { requestsCounted, slotsUsed, windowCounted } = row
  return { requestsCounted, slotsUsed, windowEndsAt: (Number(windowCounted) + 1) * 60 }
}
