import { hasThumbnail } from '../../../media/mediaFormats.ts'
import type { Services } from '../../context.ts'
import { openFileLink } from '../../files/fileLink.ts'
import { openInputLink } from './inputLink.ts'
import { openResultLink } from './openResultLink.ts'

/** A stored object. `id`: of the generation or the file. */
export type LinkedObject = { id: string; storageKey: string; sizeBytes: number; sha256: string; mimeType: string }

/**
 * The object behind a link: an input of a vendor, an uploaded file for people of its team, or a result. The link of a file with a thumbnail
 * opens the thumbnail alone.
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
