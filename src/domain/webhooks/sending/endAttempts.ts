import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** How an attempt went. `start`: the first bytes of the reply. */
export type AttemptReport = {
  deliveryId: string
  number: number
  tookSeconds: number
  responseCode: number | null
  start: Buffer | null
} & (
  | { outcome: 'delivered' }
  /** `pauseSeconds` until the next attempt; `null` closes the delivery as failed. */
  | { outcome: 'failed'; refusal: string; pauseSeconds: number | null }
  /** Ended by ourselves: repeated at once, and counted as no failure. */
  | { outcome: 'cut'; refusal: string; pauseSeconds: number }
  /** Not even begun; left to another try. */
  | { outcome: 'held'; pauseSeconds: number }
)

const end = statement<{ written: number }>('end_attempts', 'select end_webhook_attempts($1::jsonb) as written')

/**
 * Writes down how attempts went, and when those that failed are due again. A report of an attempt that was taken for cut changes
 * nothing. Returns how many were written. Locks: deliveries, subscriptions.
 */
export async function endAttempts(context: Context, reports: readonly AttemptReport[]): Promise<number> {
  const row = await context.sql.one(end, [JSON.stringify(reports.map(rowOf))])
  return row?.written ?? 0
}

function rowOf(report: AttemptReport) {
  return {
    delivery: report.deliveryId,
    number: report.number,
    outcome: report.outcome,
    tookSeconds: Math.round(report.tookSeconds * 1000) / 1000,
    code: report.responseCode,
    refusal: 'refusal' in report ? report.refusal : null,
    start: report.start?.toString('hex') ?? null,
    pauseSeconds: 'pauseSeconds' in report ? report.pauseSeconds : null,
  }
}
