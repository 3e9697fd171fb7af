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

export type Preview = { mimeType: 'image/jpeg'; base64: string }

type PreviewServices = Pick<Services, 'storage' | 'inspector' | 'settings' | 'log'>
/** Content that gives no preview is remembered as well, or each look at it would cost a worker. */
type RenderedPreview = { preview: Preview | undefined }
type PreviewCache = LRUCache<string, RenderedPreview, { stored: StoredResult }>

const cacheCharactersMax = 32 * 1024 * 1024
/** Agents ask again within minutes; what an operator takes out of the storage is gone from here soon after. */
const cacheTtlMs = 600_000
/** One at a time, since the inspector's other worker is for uploads and results. */
const renderLimits = { atOnce: 1, waitingMax: 16 }
/** When the wait for bytes and for the inspector ends. */
const renderTimeoutMs = 15_000

const caches = new WeakMap<Inspector, PreviewCache>()

/**
 * The preview of a stored image, made when it is first asked for, once for all who ask at the same time, and remembered by its content
 * for some minutes in this process: made beforehand it would cost every result what agents alone want, and stored it would have to be
 * removed again. `undefined` when its content gives none, and for now when too many are asked for or its bytes cannot be had.
 * The caller has made sure that it may be shown.
 */
export async function cachedPreview(services: PreviewServices, stored: StoredResult): Promise<Preview | undefined> {
  let kept = caches.get(services.inspector)
  if (!kept) caches.set(services.inspector, (kept = makeCache(services)))
  return (await kept.fetch(stored.sha256, { context: { stored } }))?.preview
}

function makeCache(services: PreviewServices): PreviewCache {
  const bounded = makeConcurrencyLimiter(renderLimits)
  return new LRUCache({
    maxSize: cacheCharactersMax,
    ttl: cacheTtlMs,
    sizeCalculation: ({ preview }) => 1000 + (preview?.base64.length ?? 0),
    // What is being made has no size, and yet may be pushed out by what is there: whoever waits for it gets it all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_sha256, _stale, { context: { stored } }) => bounded.run(() => make(services, stored)),
  })
}

/** What comes of it for good; `undefined` when that cannot be said for now. */
async function make({ storage, inspector, settings, log }: PreviewServices, stored: StoredResult): Promise<RenderedPreview | undefined> {
  const path = join(settings.temporaryFolder, temporaryName())
  const signal = AbortSignal.timeout(renderTimeoutMs)
  try {
    const original = await storage.open(stored.storageKey, { start: 0, end: stored.sizeBytes - 1 })
    await pipeline(original, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    const jpeg = await inspector.preview(path, { bytesMax: limits.previewBytes, owner: 'previews', signal })
    return { preview: jpeg && { mimeType: 'image/jpeg', base64: jpeg.toString('base64') } }
  } catch (error) {
    log.warn({ storageKey: stored.storageKey, error: String(error) }, 'a preview could not be made')
    return undefined
  } finally {
    await rm(path, { force: true })
  }
}
