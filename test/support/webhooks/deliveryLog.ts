import { newId } from '../../../src/contract/ids.ts'
import type { Services } from '../../../src/domain/context.ts'

/** Inserts this many finished deliveries. Returns their identifiers, the oldest first. */
export async function aDeliveryLog({ pool }: Services, subscriptionId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('evt'))
  await pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, attempts, response_code)
       select id, $1, n, 'generation.completed', convert_to('{"data":{"generation":{"generationId":"gen_x"}}}', 'UTF8'),
           now() - (1000 - n) * interval '1 s', 'delivered', 1, 204 from unnest($2::text[]) with ordinality as d (id, n)`,
    [subscriptionId, ids],
  )
  await pool.query('update webhook_subscriptions set last_event_number = $2 where id = $1', [subscriptionId, count])
  return ids
}
