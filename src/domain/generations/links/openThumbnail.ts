import { withTimeout } from '../../../concurrency/withTimeout.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { hasThumbnail } from '../../../media/mediaFormats.ts'
import type { Services } from '../../context.ts'
import { openFileLink } from '../../files/fileLinks.ts'
import { cachedPreview, type Preview, previewSizes } from '../results/cachedPreview.ts'
import { RenderQueueFull } from '../results/renderQueue.ts'
import { openResultLink } from './openResultLink.ts'

/** A small JPEG, and when the link to it ends. */
export type Thumbnail = { jpeg: Buffer; expiresAt: Date }

/** How long a request waits. The rendering then continues for the next request. */
const defaultWaitMs = 10_000
const retryAfterSeconds = 2

/**
 * The thumbnail behind a link: of a result or an uploaded file that is an image or a WAV file. A confined worker renders it, once for
 * some minutes.
 * Refusals: not_found, also for other media and when it cannot be rendered; too_many_concurrent when too many of its owner wait, or after
 * `waitMs`; service_unavailable when too many of all owners wait.
 * Contract: docs/contract.md#thumbnails.
 */
export async function openThumbnail(services: Services, token: string, { waitMs = defaultWaitMs } = {}): Promise<Thumbnail> {
  const { original, expiresAt } = (await fileOf(services, token)) ?? (await resultOf(services, token))
  const rendering = cachedPreview(services, original, 'thumbnail').then((preview): Preview => {
    if (!preview) throw new Refusal('not_found')
    return preview
  })
  const preview = await withTimeout(rendering.catch(translate), { waitMs })
  if (!preview) throw tooManyOfOwner()
  return { jpeg: Buffer.from(preview.base64, 'base64'), expiresAt }
}

function translate(error: unknown): never {
  if (!(error instanceof RenderQueueFull)) throw error
  throw error.ofOwner ? tooManyOfOwner() : new Refusal('service_unavailable', { retryAfterSeconds }, { message })
}

const message = 'Too many thumbnails are being rendered. Repeat in a few seconds.'

/** The operator is alerted by service_unavailable. One owner alone must not cause that. */
function tooManyOfOwner(): Refusal<'too_many_concurrent'> {
  const limit = previewSizes.thumbnail.waitingMaxPerOwner
  return new Refusal('too_many_concurrent', { limit, retryAfterSeconds }, { message })
}

async function fileOf(services: Services, token: string) {
  const file = await openFileLink(services, token)
  return file && hasThumbnail(file) ? { original: file, expiresAt: file.expiresAt } : undefined
}

async function resultOf(services: Services, token: string) {
  const { outputType, ownerId, result, expiresAt } = await openResultLink(services, token)
  if (!hasThumbnail({ type: outputType, mimeType: result.mimeType })) throw new Refusal('not_found')
  return { original: { ...result, ownerId }, expiresAt }
}
