import { hasThumbnail } from '../../../media/mediaFormats.ts'
import type { Services } from '../../context.ts'
import { openFileLink } from '../../files/fileLinks.ts'
import { openInputLink } from './inputLink.ts'
import { openResultLink } from './openResultLink.ts'

/** A stored object. `id`: of the generation or the file. */
export type LinkedObject = { id: string; storageKey: string; sizeBytes: number; sha256: string; mimeType: string }

/**
 * The object behind a link: an input for the vendor that uses it, an uploaded file for people of its team, or a result. A link to a file
 * that has a thumbnail opens only the thumbnail, see openThumbnail.ts.
 * Refusals: not_found. Contract: docs/contract.md#result-links.
 */
export async function openLinkedObject(services: Services, token: string): Promise<LinkedObject> {
  const input = await openInputLink(services, token)
  if (input) return { ...input, id: input.generationId }
  const file = await openFileLink(services, token)
  if (file && !hasThumbnail(file)) return { ...file, id: file.fileId }
  const { generationId, result } = await openResultLink(services, token)
  return { ...result, id: generationId }
}
