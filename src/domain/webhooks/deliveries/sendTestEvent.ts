import { hundredths } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { type PublicGeneration, presentGeneration } from '../../../contract/shapes/generation.ts'
import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { type Generation, type GenerationResult, generationDefaults } from '../../../entities/Generation.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Catalog } from '../../catalog/loadCatalog.ts'
import type { Context } from '../../context.ts'
import { requireSubscription } from '../subscriptions/findSubscription.ts'
import { addTestDelivery } from './addTestDelivery.ts'
import type { LoggedDelivery } from './findDelivery.ts'

/**
 * Sends a sample `generation.completed`, whatever events the subscription selects. It is signed, logged and retried like any other event
 * and has the header `X-Atelier-Test`.
 * Refusals: invalid_request at `subscriptionId`; rate_limited. Locks: the subscription. Contract: docs/contract.md#test-events.
 */
export async function sendTestEvent(context: Context, subscriptionId: string): Promise<LoggedDelivery> {
  const subscription = await requireSubscription(context, subscriptionId, 'subscriptionId')
  const sampleAt = (now: Date) => ({ generation: sample(context, subscription, now) })
  return await addTestDelivery(context, subscription, { action: 'webhook.tested', event: 'generation.completed', sampleAt })
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
