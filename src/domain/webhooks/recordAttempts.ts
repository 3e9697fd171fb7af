import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** How an attempt went. `start`: the first bytes of the reply. */
export type AttemptReport = {
  subscriptionId: string
  deliveryId: string
  lease: string
  begunAt: Date
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

const record = statement<{ recorded: number }>('record_attempts', 'select record_webhook_attempts($1::jsonb) as recorded')

/**
 * Writes down how attempts went, and when those that failed are due again. A report of a lease that is gone changes nothing.
 * Returns how many were recorded.
 */
export async function recordAttempts(context: Context, reports: readonly AttemptReport[]): Promise<number> {
  const row = await context.sql.one(record, [JSON.stringify(reports.map(rowOf))])
  return row?.recorded ?? 0
}

function rowOf(report: AttemptReport) {
  return {
    subscription: report.subscriptionId,
    delivery: report.deliveryId,
    lease: report.lease,
    outcome: report.outcome,
    begunAt: report.begunAt,
    tookSeconds: Math.round(report.tookSeconds * 1000) / 1000,
    code: report.responseCode,
    refusal: 'refusal' in report ? report.refusal : null,
    start: report.start?.toString('hex') ?? null,
    pauseSeconds: 'pauseSeconds' in report ? report.pauseSeconds : null,
  }
}
