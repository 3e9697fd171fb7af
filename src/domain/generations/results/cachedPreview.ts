import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import { makeConcurrencyLimiter } from '../../../concurrency/concurrencyLimiter.ts'
import { limits } from '../../../contract/limits.ts'
import type { Inspector } from '../../../media/inspector.ts'
import { temporaryName } from '../../../storage/temporaryFiles.ts'
import type { Services } from '../../context.ts'
import type { StoredResult } from '../links/findLinkedResult.ts'
import { makeRenderQueue } from './renderQueue.ts'

export type Preview = { mimeType: 'image/jpeg'; base64: string }

type PreviewServices = Pick<Services, 'storage' | 'inspector' | 'settings' | 'log'>
/** Content without a preview is cached too. Otherwise each request would occupy a worker. */
type RenderedPreview = { preview: Preview | undefined }
/** The file behind a preview: a result or an uploaded file. `ownerId`: the team or person; owners take turns. */
type Original = Pick<StoredResult, 'storageKey' | 'sizeBytes' | 'sha256'> & { ownerId: string }
type PreviewCache = LRUCache<string, RenderedPreview, { stored: Original; size: PreviewSize }>

/**
 * A picture for a model to look at, or a small one for a list. `waitingMax` and `waitingMaxPerOwner`: requests that wait for one to be
 * rendered, of all owners and of each.
 */
export const previewSizes = {
  model: { sideMax: 1024, bytesMax: limits.previewBytes, waitingMax: 64, waitingMaxPerOwner: 16 },
  thumbnail: { sideMax: 320, bytesMax: limits.thumbnailBytes, waitingMax: 256, waitingMaxPerOwner: 64 },
} as const
export type PreviewSize = keyof typeof previewSizes

/** Larger originals get no preview. */
const originalBytesMax = 64 * 1024 * 1024

const cacheCharactersMax = 32 * 1024 * 1024
/** Agents and lists repeat a request within minutes. An object that an operator removes from the storage expires here after this time. */
const cacheTtlMs = 600_000
/** One at a time: the inspector's other worker is for uploads and results. */
const renderLimits = { atOnce: 1, waitingMax: Object.keys(previewSizes).length }
/** The time limit for reading the bytes and for the inspector. */
const renderTimeoutMs = 15_000

const caches = new WeakMap<Inspector, PreviewCache>()

/**
 * The preview of a stored image or WAV file. It is rendered on the first request, once for concurrent requests, and cached by content hash in
 * this process for some minutes. Few results are looked at, so previews are not rendered for each of them, nor stored. Owners take turns.
 * `undefined` when the content has no preview, or when the bytes are unavailable. Throws `RenderQueueFull` when too many requests
 * wait. The caller checks access before.
 */
export async function cachedPreview(services: PreviewServices, stored: Original, size: PreviewSize): Promise<Preview | undefined> {
  if (stored.sizeBytes > originalBytesMax) return undefined
  let cache = caches.get(services.inspector)
  if (!cache) caches.set(services.inspector, (cache = makeCache(services)))
  return (await cache.fetch(`${size} ${stored.sha256}`, { context: { stored, size } }))?.preview
}

function makeCache(services: PreviewServices): PreviewCache {
  const renderer = makeConcurrencyLimiter(renderLimits)
  const queues = { model: makeRenderQueue(previewSizes.model), thumbnail: makeRenderQueue(previewSizes.thumbnail) }
  return new LRUCache({
    maxSize: cacheCharactersMax,
    ttl: cacheTtlMs,
    sizeCalculation: ({ preview }) => 1000 + (preview?.base64.length ?? 0),
    // A pending entry may be evicted; its waiting callers still get the preview.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { stored, size } }) =>
      queues[size].run(stored.ownerId, () => renderer.run(() => make(services, stored, size))),
  })
}

/** Renders the preview. `undefined`, which is not cached, after a temporary error. */
async function make(
  { storage, inspector, settings, log }: PreviewServices,
  stored: Original,
  size: PreviewSize,
): Promise<RenderedPreview | undefined> {
  const path = join(settings.temporaryFolder, temporaryName())
  const signal = AbortSignal.timeout(renderTimeoutMs)
  try {
    const original = await storage.open(stored.storageKey, { start: 0, end: stored.sizeBytes - 1 })
    await pipeline(original, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    const jpeg = await inspector.preview(path, {
      sideMax: previewSizes[size].sideMax,
      bytesMax: previewSizes[size].bytesMax,
      owner: 'previews',
      signal,
    })
    return { preview: jpeg && { mimeType: 'image/jpeg', base64: jpeg.toString('base64') } }
  } catch (error) {
    log.warn({ storageKey: stored.storageKey, error: String(error) }, 'a preview could not be rendered')
    return undefined
  } finally {
    await rm(path, { force: true })
  }
}
