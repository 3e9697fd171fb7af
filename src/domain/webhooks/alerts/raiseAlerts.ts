import { type Context, transaction } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'
import { addDeliveries, type NumberedSubscription } from '../deliveries/addDeliveries.ts'
import { type AlertCondition, alertConditions } from './alertConditions.ts'
import { alertsAtOnce, teamAlertsAtOnce } from './alertStatement.ts'

const assignEventNumber = statement<NumberedSubscription>(
  'number_alert',
  `update webhook_subscriptions set last_event_number = last_event_number + 1 where id = $1
     returning id as subscription_id, last_event_number as event_number`,
)

/**
 * Records the alerts that are due, and their deliveries in the same transaction: one per subscription, subject, threshold and day in UTC,
 * also when several processes run it; and one per team for its list. A kind that fails does not stop the others; throws at the end if one
 * failed. Returns the number of alerts to subscriptions.
 * Locks: subscriptions, in the order of their identifiers. Contract: docs/contract.md#alerts.
 */
export async function raiseAlerts(context: Context): Promise<number> {
  const failures: unknown[] = []
  let raised = 0
  for (const condition of alertConditions) {
    try {
      raised += await runInBatches(alertsAtOnce, () => raiseBatch(context, condition))
      await runInBatches(teamAlertsAtOnce, async () => (await context.sql.all(condition.raiseForTeams, [])).length)
    } catch (error) {
      context.log.error({ kind: condition.kind, error }, 'alerts of a kind could not be recorded')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'alerts could not be recorded')
  return raised
}

async function raiseBatch(context: Context, { kind, raise, dataOf }: AlertCondition): Promise<number> {
  return await transaction(context, async (inside) => {
    const raised = await inside.sql.all(raise, [])
    for (const alert of raised) {
      const numbered = await inside.sql.all(assignEventNumber, [alert.subscriptionId])
      await addDeliveries(inside, numbered, { event: kind, createdAt: alert.at, dataFor: () => dataOf(alert), isTest: false })
    }
    return raised.length
  })
}

const batchSize = 2_000
/** An end alerts at most seven days before. */
const keptDays = 30

function old(table: 'alerts' | 'team_alerts') {
  return statement<{ day: string }>(
    `prune_${table}`,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where day < utc_day(present()) - ${keptDays} limit ${batchSize} for update skip locked)) returning day`,
  )
}
const oldOfSubscriptions = old('alerts')
const oldOfTeams = old('team_alerts')

/** Deletes records of old alerts. Returns their number. Locks: the rows, in batches. */
export async function pruneAlerts({ sql }: Pick<Context, 'sql'>): Promise<number> {
  const pruned = await runInBatches(batchSize, async () => (await sql.all(oldOfSubscriptions, [])).length)
  return pruned + (await runInBatches(batchSize, async () => (await sql.all(oldOfTeams, [])).length))
}
