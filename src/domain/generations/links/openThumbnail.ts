import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Services } from '../../context.ts'
import { openFileLink } from '../../files/fileLink.ts'
import { cachedPreview, type Preview, PreviewQueueFull } from '../results/cachedPreview.ts'
import { withTimeout } from '../results/withTimeout.ts'
import { openResultLink } from './openResultLink.ts'

/** A small JPEG, and when the link to it ends. */
export type Thumbnail = { jpeg: Buffer; expiresAt: Date }

/** After that the rendering continues for the next request. */
const defaultWaitMs = 10_000
const retryAfterSeconds = 2

/**
 * The thumbnail behind a link to an image: of a result or of an uploaded file. A confined worker renders it, once for some minutes.
 * Refusals: not_found, also for other media and when it cannot be rendered; service_unavailable when too many wait, or after `waitMs`.
 * Contract: docs/contract.md#thumbnails.
 */
export async function openThumbnail(services: Services, token: string, { waitMs = defaultWaitMs } = {}): Promise<Thumbnail> {
  const { original, expiresAt } = (await fileOf(services, token)) ?? (await resultOf(services, token))
  const rendering = cachedPreview(services, original, 'thumbnail').then((preview): Preview => {
    if (!preview) throw new Refusal('not_found')
    return preview
  })
  const preview = await withTimeout(rendering.catch(translate), { waitMs })
  if (!preview) throw busy()
  return { jpeg: Buffer.from(preview.base64, 'base64'), expiresAt }
}

function translate(error: unknown): never {
  throw error instanceof PreviewQueueFull ? busy() : error
}

function busy(): Refusal<'service_unavailable'> {
  const message = 'Too many thumbnails are being rendered. Repeat in a few seconds.'
  return new Refusal('service_unavailable', { retryAfterSeconds }, { message })
}

async function fileOf(services: Services, token: string) {
  const file = await openFileLink(services, token)
  return file && { original: file, expiresAt: file.expiresAt }
}

async function resultOf(services: Services, token: string) {
  const { outputType, ownerId, result, expiresAt } = await openResultLink(services, token)
  if (outputType !== 'image') throw new Refusal('not_found')
  return { original: { ...result, ownerId }, expiresAt }
}
