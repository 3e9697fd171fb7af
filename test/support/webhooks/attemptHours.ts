import type { Services } from '../../../src/domain/context.ts'

type Span = { fromHoursAgo: number; toHoursAgo?: number; everyHours?: number; attempts?: number }

/** Writes counters of attempts by hour, and the last outcome, as past attempts would have done. */
export function attemptHours({ pool }: Pick<Services, 'pool'>, now: () => Date) {
  async function write(id: string, counts: { delivered: number; failed: number }, span: Span, outcome: string): Promise<void> {
    const { fromHoursAgo, toHoursAgo = 0, everyHours = 1 } = span
    await pool.query(
      `insert into webhook_hours (subscription_id, hour, delivered, failed)
         select $1, date_trunc('hour', $2::timestamptz, 'UTC') - ago * interval '1 hour', $3, $4
           from generate_series($5::integer, $6::integer, -$7::integer) as ago
         on conflict (subscription_id, hour) do update set delivered = excluded.delivered, failed = excluded.failed`,
      [id, now(), counts.delivered, counts.failed, fromHoursAgo, toHoursAgo, everyHours],
    )
    await pool.query('update webhook_subscriptions set last_delivery_outcome = $2, last_delivery_day = utc_day($3) where id = $1', [
      id,
      outcome,
      now(),
    ])
  }
  return {
    failed: (id: string, span: Span) => write(id, { delivered: 0, failed: span.attempts ?? 7 }, span, 'failed'),
    delivered: (id: string, { outcome = 'delivered', ...span }: Span & { outcome?: string }) =>
      write(id, { delivered: span.attempts ?? 1, failed: 0 }, span, outcome),
  }
}
