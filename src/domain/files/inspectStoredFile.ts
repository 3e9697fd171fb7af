import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Refusal } from '../../contract/refusals/refusals.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import type { InspectionResult } from '../../media/inspectionResult.ts'
import { ObjectNotFound } from '../../storage/storage.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import type { Context } from '../context.ts'
import { inspectionRefusal } from './callInspector.ts'
import { findFile, markFailed, markReady } from './fileRows.ts'

/** At most one inspection job per file is queued. */
export function inspectionKey(fileId: string): string {
  return `file:${fileId}`
}

/**
 * Inspects a file that was stored before its inspection: processing → ready, or failed with the refusal that its users get. Unusable
 * content is deleted at once. Does nothing for a file that is no longer processing.
 * Rejects when the file cannot be inspected now, and with the reason of `signal`.
 */
export async function inspectStoredFile(context: Context, fileId: string, signal: AbortSignal): Promise<void> {
  const file = await findFile(context, fileId)
  if (file?.state !== 'processing') return
  const inspected = await inspectCopy(context, file, signal)
  if (inspected === 'lost') await failFile(context, file, { code: 'internal_error' })
  else if (inspected.ok) await markReady(context, fileId, inspected)
  else await failFile(context, file, storedRefusal(inspectionRefusal(inspected, fileId)))
}

/** Fails a file that cannot be used or inspected, and deletes its content. */
export async function failFile(
  context: Context,
  { id, storageKey }: StoredFile,
  refusal: NonNullable<StoredFile['refusal']>,
): Promise<void> {
  if (await markFailed(context, id, refusal)) await context.storage.remove(storageKey)
}

async function inspectCopy(context: Context, file: StoredFile, signal: AbortSignal): Promise<InspectionResult | 'lost'> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    await pipeline(await context.storage.open(file.storageKey), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    const declaredMimeTypes = file.declaredMimeType === null ? [] : [file.declaredMimeType]
    return await context.inspector.inspect(path, { owner: file.ownerId, signal, declaredMimeTypes })
  } catch (error) {
    if (error instanceof ObjectNotFound) return 'lost'
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

function storedRefusal({ code, details }: Refusal): NonNullable<StoredFile['refusal']> {
  return details === undefined ? { code } : { code, details }
}
