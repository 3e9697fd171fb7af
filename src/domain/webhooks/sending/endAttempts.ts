import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** The outcome of an attempt. `start`: the first bytes of the reply. */
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
  /** Aborted by us. Due again at once, and not counted as a failure. */
  | { outcome: 'cut'; refusal: string; pauseSeconds: number }
  /** Not begun. Tried again after `pauseSeconds`. */
  | { outcome: 'held'; pauseSeconds: number }
)

const end = statement<{ written: number }>('end_attempts', 'select end_webhook_attempts($1::jsonb) as written')

/**
 * Records the outcomes of attempts, and when failed deliveries are due again. A report of an attempt that was already recorded as cut
 * changes nothing. Returns the number of recorded outcomes. Locks: deliveries, subscriptions.
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
