import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Small enough for one statement to be well within its limit. */
const rowsAtOnce = 2_000
/** With their attempts, whose rows lie anywhere on a disk. */
const deliveriesAtOnce = 500

const oldDeliveries = statement<{ pruned: number; cameTo: string; lastAt: Date }>(
  'prune_deliveries',
  'select pruned, came_to, last_at from prune_old_deliveries($1, $2, $3, $4)',
)

/**
 * Forgets deliveries that are older than the log is kept, with their attempts, where they share a partition with many younger ones; all
 * others go with theirs (src/domain/partitions). Returns how many. Contract: docs/contract.md#delivery-log.
 */
export async function pruneDeliveries(context: Pick<Context, 'sql'>): Promise<number> {
  let pruned = 0
  for (let partition: string | null = null, after: Date | null = null; ; ) {
    const some: { pruned: number; cameTo: string; lastAt: Date } | undefined = await context.sql.one(oldDeliveries, [
      limits.deliveryLogDays,
      deliveriesAtOnce,
      partition,
      after,
    ])
    if (!some) return pruned
    pruned += some.pruned
    partition = some.cameTo
    after = some.lastAt
  }
}

const goneSubscriptions = statement<{ id: string }>(
  'prune_subscriptions',
  `delete from webhook_subscriptions s
     where s.deleted_at < present() - $1 * interval '1 day'
       and not exists (select from webhook_deliveries d where d.subscription_id = s.id) returning s.id`,
)

/** Forgets deleted subscriptions when their log has gone. Returns how many. */
export async function pruneSubscriptions(context: Context): Promise<number> {
  return (await context.sql.all(goneSubscriptions, [limits.deliveryLogDays])).length
}

const voidSecrets = statement<{ id: string }>(
  'prune_webhook_secrets',
  `update webhook_subscriptions set older_secret = null, older_secret_until = null
     where older_secret_until < statement_timestamp() returning id`,
)

/** Forgets secrets whose overlap is over. Returns how many. */
export async function pruneOlderSecrets(context: Context): Promise<number> {
  return (await context.sql.all(voidSecrets, [])).length
}

/** A day longer than the health of a webhook shows. */
const hoursKept = 31 * 24

const oldHours = statement<{ hour: Date }>(
  'prune_webhook_hours',
  `delete from webhook_hours where ctid = any(array(
       select ctid from webhook_hours where hour < present() - $1 * interval '1 hour' limit ${rowsAtOnce} for update skip locked
     )) returning hour`,
)

/** Deletes the counters of old hours. Returns how many. */
export async function pruneWebhookHours(context: Context): Promise<number> {
  return deleteInBatches(async () => (await context.sql.all(oldHours, [hoursKept])).length)
}

async function deleteInBatches(pruneSome: () => Promise<number>): Promise<number> {
  let pruned = 0
  for (;;) {
    const some = await pruneSome()
    pruned += some
    if (some < rowsAtOnce) return pruned
  }
}
