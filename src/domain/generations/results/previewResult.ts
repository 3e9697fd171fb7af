import { setTimeout as pause } from 'node:timers/promises'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { findLinkedResult } from '../links/findLinkedResult.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { readGeneration } from '../reading/readGeneration.ts'
import { cachedPreview, type Preview } from './cachedPreview.ts'

/** How long a caller waits for a preview that has to be made first; it goes on being made, for whoever asks next. */
const waitMs = 5000
/** Larger originals are not read for it. */
const originalBytesMax = 64 * 1024 * 1024

/**
 * A small picture of the image that a generation of that owner made, for a model to look at. There is none of other media and of one that
 * is not ready, when the caller may not have its link any more, and when none can be made now or within a few seconds.
 * Refusals: generation_not_found. Contract: docs/contract.md#tools.
 */
export async function previewResult(
  context: Context,
  { ownerId }: Pick<Spender, 'ownerId'>,
  { generationId, signal }: { generationId: string; signal: AbortSignal },
): Promise<Preview | undefined> {
  const { outputType, state } = await readGeneration(context, ownerId, generationId)
  if (outputType !== 'image' || state !== 'ready') return undefined
  const linked = await findLinkedResult(context, { generationId, holder: linkHolderOf(context.actor) })
  if (!linked || linked.result.sizeBytes > originalBytesMax) return undefined
  return await withTimeout(cachedPreview(context, linked.result), signal)
}

async function withTimeout<Value>(made: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const over = new AbortController()
  const late = pause(waitMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined)
  try {
    return await Promise.race([made, late])
  } finally {
    over.abort()
  }
}
