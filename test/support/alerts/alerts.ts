import type { Services } from '../../../src/domain/context.ts'
import { createAlertSubscription } from '../../../src/domain/webhooks/alerts/changeAlertSubscription.ts'
import { type AlertKind, alertKinds } from '../../../src/entities/AlertSubscription.ts'
import { aServiceContext, type TeamWithKey } from '../factories.ts'

/** Subscribes the team to alerts, by default of every kind. */
export function anAlertSubscription(
  services: Services,
  { team }: Pick<TeamWithKey, 'team'>,
  address: string,
  kinds: readonly AlertKind[] = alertKinds,
) {
  return createAlertSubscription(aServiceContext(services), { teamId: team.id, address, kinds: [...kinds] })
}

export type RecordedAlert = { id: string; event: string; createdAt: string; data: Record<string, unknown> }

/** The bodies that were recorded for a subscription, oldest first. */
export async function alertsOf({ pool }: Services, subscriptionId: string): Promise<RecordedAlert[]> {
  const { rows } = await pool.query<{ body: string }>(
    `select convert_from(delivery_body(id, body, body_id), 'UTF8') as body from webhook_deliveries where subscription_id = $1 order by event_number`,
    [subscriptionId],
  )
  return rows.map(({ body }) => JSON.parse(body))
}
