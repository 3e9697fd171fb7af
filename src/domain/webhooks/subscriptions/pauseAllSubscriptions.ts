import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const pause = statement<{ id: string }>(
  'pause_all_subscriptions',
  'update webhook_subscriptions set paused = true where not paused and deleted_at is null returning id',
)

/** Pauses every subscription. Due deliveries wait until it is resumed. Returns the number of paused subscriptions. */
export async function pauseAllSubscriptions(context: Pick<Context, 'sql'>): Promise<number> {
  return (await context.sql.all(pause, [])).length
}
