import { Readable } from 'node:stream'
import type { Storage } from '../storage/storage.ts'
import type { Manifest } from './manifest.ts'
import { isInUse } from './restoreObjects.ts'

/**
 * Ensures, at each run of a restore, that no other deployment uses the storage. A storage that an earlier run claimed has a mark, and the
 * objects that it copied. Throws a RangeError for any other storage with objects of the backup: the settings may have changed since the
 * first run to those of a running deployment.
 */
export async function claimStorage(
  storage: Storage,
  { target, objects, restoreId }: { target: Storage; restoreId: string } & Pick<Manifest, 'objects'>,
): Promise<void> {
  const mark = markOf(restoreId)
  if ((await storage.size(mark)) !== undefined) return
  if (await isInUse(storage, { target, objects })) {
    throw new RangeError(
      'the storage already contains objects of this backup: use an empty one, or add --storage-in-place if nothing else uses it',
    )
  }
  await storage.put(mark, Readable.from([Buffer.from('a restore is running here\n')]))
}

/** Removes the mark after the restore, if there is one. */
export async function releaseStorage(storage: Storage, restoreId: string): Promise<void> {
  await storage.remove(markOf(restoreId))
}

function markOf(restoreId: string): string {
  return `restoring/${restoreId}`
}
