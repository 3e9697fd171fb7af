import { invariant } from '../../invariant.ts'
import { type Sql, statement } from '../../sql.ts'
import type { AdmissionResult, RequestLimits } from './admitRequests.ts'

type Row = { requestsCounted: number; slotsUsed: number; windowCounted: string; perMinute: number; inProgress: number }

const countAgain = statement<Row>(
  'count_more_requests',
  `select requests_counted, slots_used, window_counted, per_minute, in_progress
     from request_limits(split_part($1, ':', 2), $5, $6), count_requests($1, $2, $3, $4, 0, 0, in_progress)`,
)

/** `windowEndsAt` in Unix seconds. */
export type ExtraRequestCount = Pick<AdmissionResult, 'requestsCounted' | 'slotsUsed' | 'limits' | 'windowEndsAt'>

/** `subject`: the user or session that a request was counted for. */
type More = { subject: string; requests: number; processId: string; minute: number; limits: RequestLimits }

/**
 * Counts `requests` more requests of an admitted caller. Takes no slots.
 * Contract: docs/contract.md#rate-and-concurrency.
 */
export async function countExtraRequests(sql: Sql, { subject, requests, processId, minute, limits }: More): Promise<ExtraRequestCount> {
  const { requestsPerMinute: perMinute, requestsInProgress: inProgress } = limits
  const row = await sql.one(countAgain, [subject, processId, minute, requests, perMinute, inProgress])
  invariant(row, 'count_requests returns one row')
  const own = { requestsPerMinute: row.perMinute, requestsInProgress: row.inProgress }
  const { requestsCounted, slotsUsed, windowCounted } = row
  return { requestsCounted, slotsUsed, limits: own, windowEndsAt: (Number(windowCounted) + 1) * 60 }
}
