import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const drop = statement<{ generationId: string }>(
  'drop_waiting_callbacks',
  'delete from callbacks where delivery_id is null returning generation_id',
)
const close = statement<{ id: string }>(
  'close_deliveries_of_callbacks',
  `with closed as (
     update webhook_deliveries d set state = 'failed', next_attempt_at = null, retries_left = null, attempt_begun_at = null, refusal = $1
       from callbacks c where c.delivery_id = d.id and c.state in ('pending', 'retrying') and d.retries_left is not null returning d.id
   )
   update callbacks c set state = 'failed' from closed where c.delivery_id = closed.id returning closed.id`,
)

/**
 * Drops the callbacks of open generations, and closes open deliveries of callbacks as failed, so that a restored copy calls nobody. Somebody
 * can send the closed ones again. Returns the number of both.
 */
export async function endAllCallbacks({ sql }: Pick<Context, 'sql'>): Promise<number> {
  const dropped = await sql.all(drop, [])
  return dropped.length + (await sql.all(close, ['a backup was restored first'])).length
}
