import { hundredths } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { type PublicGeneration, presentGeneration } from '../../../contract/shapes/generation.ts'
import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { type Generation, type GenerationResult, generationDefaults } from '../../../entities/Generation.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Catalog } from '../../catalog/loadCatalog.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { requireNotPaused, requireSubscription } from '../subscriptions/findSubscription.ts'
import { addDeliveries, type NumberedSubscription } from './addDeliveries.ts'
import { findDelivery, type LoggedDelivery } from './findDelivery.ts'

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

/**
 * A ready generation with every field set, for test events. It names a family and a variant of the catalog: those of `sandbox-image`, or
 * without it those of the first family.
 */
function sampleGeneration({ families }: Pick<Catalog, 'families'>, ownerId: string, finishedAt: Date): Generation {
  const id = newId('gen')
  const family = families.get('sandbox-image') ?? [...families.values()][0]
  const [variant] = family?.variants ?? []
  const outputType = family?.outputType ?? 'image'
  const secondsBefore = (seconds: number) => new Date(finishedAt.getTime() - seconds * 1000)
  return {
    ...generationDefaults(),
    id,
    ownerId,
    source: 'rest',
    state: 'ready',
    familyId: family?.id ?? 'sandbox-image',
    modelId: variant?.modelId ?? null,
    task: variant?.tasks[0] ?? null,
    outputType,
    axes: variant?.axes ?? {},
    prompt: 'A test event without a generation.',
    price: hundredths(100),
    creditsCharged: hundredths(100),
    attempt: 1,
    result: { storageKey: `results/${id}/0`, sizeBytes: 4096, sha256: '', ...sampleMedia[outputType] },
    createdAt: secondsBefore(2),
    startedAt: secondsBefore(1),
    finishedAt,
  }
}

type SampleMedia = Pick<Extract<GenerationResult, { storageKey: string }>, 'mimeType' | 'width' | 'height' | 'durationSeconds'>

const sampleMedia: Record<OutputType, SampleMedia> = {
  image: { mimeType: 'image/png', width: 512, height: 512, durationSeconds: null },
  video: { mimeType: 'video/mp4', width: 512, height: 512, durationSeconds: 2 },
  audio: { mimeType: 'audio/mpeg', width: null, height: null, durationSeconds: 2 },
  model3d: { mimeType: 'model/gltf-binary', width: null, height: null, durationSeconds: null },
}
