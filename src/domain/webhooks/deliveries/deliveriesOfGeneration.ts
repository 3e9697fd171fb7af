import { webhookDeliveryStates } from '../../../entities/WebhookDelivery.ts'
import { webhookEvents } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { joinReceiver, type LoggedDelivery, loggedDeliveryColumns } from './findDelivery.ts'

const deliveriesMax = 100

/** A delivery has the time of the end of its generation. The body tells it from others of the same millisecond. */
const find = statement<LoggedDelivery>(
  'deliveries_of_generation',
  `select ${loggedDeliveryColumns}
     from (
       select listed.id from webhook_subscriptions s
         cross join unnest($4::text[]) as st (state) cross join unnest($5::text[]) as e (event)
         cross join lateral (
           select * from webhook_deliveries d
             where d.subscription_id = s.id and d.state = st.state and d.event = e.event and not d.is_test
               and d.created_at at time zone 'UTC' = $3::timestamptz at time zone 'UTC'
             limit ${deliveriesMax}
         ) listed
         where s.team_id = $1 and s.kind = 'events'
           and convert_from(delivery_body(listed.id, listed.body, listed.body_id), 'UTF8')::jsonb #>> '{data,generation,generationId}' = $2
       union all
       select delivery_id from callbacks where generation_id = $2 and team_id = $1 and delivery_id is not null
     ) found cross join lateral (select * from webhook_deliveries where id = found.id offset 0) d ${joinReceiver}
     order by d.subscription_id, d.event_number limit ${deliveriesMax}`,
)

/** The deliveries of the event of an ended generation, by subscription, and of its callback. `endedAt`: the end of the generation. */
export async function deliveriesOfGeneration(
  { sql }: Pick<Context, 'sql'>,
  { teamId, generationId, endedAt }: { teamId: string; generationId: string; endedAt: Date },
): Promise<LoggedDelivery[]> {
  return await sql.all(find, [teamId, generationId, endedAt, webhookDeliveryStates, webhookEvents])
}
