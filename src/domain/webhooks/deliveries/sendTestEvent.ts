import { limits } from '../../../contract/limits.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { type PublicGeneration, presentGeneration } from '../../../contract/shapes/generation.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { requireSubscription } from '../subscriptions/findSubscription.ts'
import { requireNotPaused } from '../subscriptions/requireNotPaused.ts'
import { addDeliveries, type NumberedSubscription } from './addDeliveries.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'
import { sampleGeneration } from './sampleGeneration.ts'

const assignEventNumber = statement<NumberedSubscription>(
  'number_test_event',
  `update webhook_subscriptions set last_event_number = last_event_number + 1 where id = $1 and deleted_at is null and not paused
     returning id as subscription_id, last_event_number as event_number`,
)

/** Limit per subscription. */
const testsPerMinute = 10

/** Returns the wait until the next test event. It runs while the subscription is locked, so concurrent calls cannot exceed the limit. */
const waitForTest = statement<{ waitSeconds: number }>(
  'wait_for_test_event',
  `select ceil(extract(epoch from at + interval '1 minute' - present()))::integer as wait_seconds from audit_entries
     where team_id = $1 and action = 'webhook.tested' and subject_id = $2 and at > present() - interval '1 minute'
     order by at desc, id desc offset ${testsPerMinute - 1} limit 1`,
)

/**
 * Sends a sample `generation.completed`, whatever events the subscription selects. It is signed, logged and retried like any other event
 * and has the header `X-Atelier-Test`.
 * Refusals: invalid_request at `subscriptionId`; rate_limited after {@link testsPerMinute} in a minute. Locks: the subscription.
 * Contract: docs/contract.md#test-events.
 */
export async function sendTestEvent(context: Context, subscriptionId: string): Promise<LoggedDelivery> {
  const subscription = await requireSubscription(context, subscriptionId, 'subscriptionId')
  requireNotPaused(subscription, 'subscriptionId')
  const [id] = await transaction(context, async (inside) => {
    const numbered = await inside.sql.one(assignEventNumber, [subscriptionId])
    if (!numbered) throw unknownId('subscriptionId', 'subscription')
    await limitTestEvents(inside, subscription)
    await recordAudit(inside, { action: 'webhook.tested', teamId: subscription.teamId, subjectId: subscriptionId })
    const createdAt = context.clock.now()
    const dataFor = () => ({ generation: sample(context, subscription, createdAt) })
    return addDeliveries(inside, [numbered], { event: 'generation.completed', createdAt, dataFor, isTest: true })
  })
  const delivery = id === undefined ? null : await findDelivery(context, id)
  invariant(delivery, 'a test event has a delivery')
  return delivery
}

async function limitTestEvents({ sql }: Context, { id, teamId }: WebhookSubscription): Promise<void> {
  const retryAfterSeconds = (await sql.one(waitForTest, [teamId, id]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `A webhook takes ${testsPerMinute} test events a minute. Try again in ${retryAfterSeconds} seconds.`
  throw new Refusal('rate_limited', { limit: testsPerMinute, retryAfterSeconds }, { message })
}

/** The public shape of a sample generation. Its link has no file behind it. */
function sample({ settings, docUrls, catalog }: Context, { teamId }: WebhookSubscription, now: Date): PublicGeneration {
  const expiresAt = new Date(now.getTime() + limits.resultLinkHours * 3_600_000)
  const linkTo = ({ id }: Generation) => ({ url: `${settings.publicUrl}/r/${id}`, expiresAt })
  return presentGeneration(sampleGeneration(catalog, teamId, now), { linkTo, pollAfterSeconds: () => 1, docUrls })
}
