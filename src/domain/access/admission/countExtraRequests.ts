import { invariant } from '../../invariant.ts'
import { type Sql, statement } from '../../sql.ts'
import type { AdmissionResult } from './admitRequests.ts'

const countAgain = statement<{ requestsCounted: number; slotsUsed: number; windowCounted: string }>(
  'count_more_requests',
  'select requests_counted, slots_used, window_counted from count_requests($1, $2, $3, $4, 0, 0, $5)',
)

/** `windowEndsAt` in Unix seconds. */
export type ExtraRequestCount = Pick<AdmissionResult, 'requestsCounted' | 'slotsUsed' | 'windowEndsAt'>

/** `subject`: the user or session that a request was counted for. */
type More = { subject: string; requests: number; processId: string; minute: number; slotsMax: number }

/**
 * Counts `requests` more requests of an admitted caller. Takes no slots.
 * Contract: docs/contract.md#rate-and-concurrency.
 */
export async function countExtraRequests(sql: Sql, { subject, requests, processId, minute, slotsMax }: More): Promise<ExtraRequestCount> {
  const row = await sql.one(countAgain, [subject, processId, minute, requests, slotsMax])
  invariant(row, 'count_requests returns one row')
  const { requestsCounted, slotsUsed, windowCounted } = row
  return { requestsCounted, slotsUsed, windowEndsAt: (Number(windowCounted) + 1) * 60 }
}
