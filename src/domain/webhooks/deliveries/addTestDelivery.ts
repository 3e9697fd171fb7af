import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { DeliveryEvent } from '../../../entities/WebhookDelivery.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { type Pausable, requireNotPaused } from '../subscriptions/findSubscription.ts'
import { addDeliveries, type NumberedSubscription } from './addDeliveries.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'

const assignEventNumber = statement<NumberedSubscription>(
  'number_test_event',
  `update webhook_subscriptions set last_event_number = last_event_number + 1 where id = $1 and deleted_at is null and not paused and auto_paused_at is null
     returning id as subscription_id, last_event_number as event_number`,
)

/** Limit per subscription. */
const testsPerMinute = 10

type TestAction = 'webhook.tested' | 'alert_subscription.tested'

/** Returns the wait until the next test event. It runs while the subscription is locked, so concurrent calls cannot exceed the limit. */
const waitForTest = statement<{ waitSeconds: number }>(
  'wait_for_test_event',
  `select ceil(extract(epoch from at + interval '1 minute' - present()))::integer as wait_seconds from audit_entries
     where team_id = $1 and action = $3 and subject_id = $2 and at > present() - interval '1 minute'
     order by at desc, id desc offset ${testsPerMinute - 1} limit 1`,
)

type Tested = Pick<WebhookSubscription, 'id' | 'teamId'> & Pausable

/**
 * Records a sample event for one subscription of any kind. It is signed, logged and retried like any other event and has the header
 * `X-Atelier-Test`. Refusals: invalid_request at `subscriptionId`, also while it is paused; rate_limited after {@link testsPerMinute} in a
 * minute. Locks: the subscription. Contract: docs/contract.md#test-events.
 */
export async function addTestDelivery(
  context: Context,
  subscription: Tested,
  { action, event, sampleAt }: { action: TestAction; event: DeliveryEvent; sampleAt(now: Date): object },
): Promise<LoggedDelivery> {
  const { id: subscriptionId, teamId } = subscription
  requireNotPaused(subscription, 'subscriptionId')
  const [id] = await transaction(context, async (inside) => {
    const numbered = await inside.sql.one(assignEventNumber, [subscriptionId])
    if (!numbered) throw unknownId('subscriptionId', 'subscription')
    await limitTestEvents(inside, subscription, action)
    await recordAudit(inside, { action, teamId, subjectId: subscriptionId })
    const createdAt = context.clock.now()
    return addDeliveries(inside, [numbered], { event, createdAt, dataFor: () => sampleAt(createdAt), isTest: true })
  })
  const delivery = id === undefined ? null : await findDelivery(context, id)
  invariant(delivery, 'a test event has a delivery')
  return delivery
}

async function limitTestEvents({ sql }: Context, { id, teamId }: Tested, action: TestAction): Promise<void> {
  const retryAfterSeconds = (await sql.one(waitForTest, [teamId, id, action]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `A subscription takes ${testsPerMinute} test events a minute. Try again in ${retryAfterSeconds} seconds.`
  throw new Refusal('rate_limited', { limit: testsPerMinute, retryAfterSeconds }, { message })
}
