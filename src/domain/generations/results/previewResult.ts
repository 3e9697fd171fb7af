import { withTimeout } from '../../../concurrency/withTimeout.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { findLinkedResult } from '../links/findLinkedResult.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { readGeneration } from '../reading/readGeneration.ts'
import { cachedPreview, type Preview } from './cachedPreview.ts'
import { RenderQueueFull } from './renderQueue.ts'

/** How long a caller waits for a preview to be rendered. After that the rendering continues for the next request. */
const defaultWaitMs = 5000

/**
 * A small image of the result of a generation, as input for a model. `undefined` for other media, for a generation that is not ready, when
 * the caller may no longer have a link to the result, and when it cannot be rendered within a few seconds.
 * Refusals: generation_not_found. Contract: docs/contract.md#tools.
 */
export async function previewResult(
  context: Context,
  { ownerId }: Pick<Spender, 'ownerId'>,
  { generationId, signal, waitMs = defaultWaitMs }: { generationId: string; signal: AbortSignal; waitMs?: number },
): Promise<Preview | undefined> {
  const { outputType, state } = await readGeneration(context, ownerId, generationId)
  if (outputType !== 'image' || state !== 'ready') return undefined
  const linked = await findLinkedResult(context, { generationId, holder: linkHolderOf(context.actor) })
  if (!linked) return undefined
  const preview = cachedPreview(context, { ...linked.result, ownerId }, 'model').catch((error: unknown) => {
    if (error instanceof RenderQueueFull) return undefined
    throw error
  })
  return await withTimeout(preview, { signal, waitMs })
}
