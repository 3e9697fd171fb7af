import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Services } from '../../context.ts'
import { openFileLink } from '../../files/fileLink.ts'
import { cachedPreview } from '../results/cachedPreview.ts'
import { openResultLink } from './openResultLink.ts'

/** A small JPEG, and when the link to it ends. */
export type Thumbnail = { jpeg: Buffer; expiresAt: Date }

/**
 * The thumbnail behind a link to an image: of a result or of an uploaded file. A confined worker renders it, once for some minutes.
 * Refusals: not_found, also for other media and when it cannot be rendered. Contract: docs/contract.md#thumbnails.
 */
export async function openThumbnail(services: Services, token: string): Promise<Thumbnail> {
  const { original, expiresAt } = (await fileOf(services, token)) ?? (await resultOf(services, token))
  const preview = await cachedPreview(services, original, 'thumbnail')
  if (!preview) throw new Refusal('not_found')
  return { jpeg: Buffer.from(preview.base64, 'base64'), expiresAt }
}

async function fileOf(services: Services, token: string) {
  const file = await openFileLink(services, token)
  return file && { original: file, expiresAt: file.expiresAt }
}

async function resultOf(services: Services, token: string) {
  const { outputType, result, expiresAt } = await openResultLink(services, token)
  if (outputType !== 'image') throw new Refusal('not_found')
  return { original: result, expiresAt }
}
