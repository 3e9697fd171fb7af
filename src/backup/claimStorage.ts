import { Readable } from 'node:stream'
import type { Storage } from '../storage/storage.ts'
import type { Manifest } from './manifest.ts'
import { isInUse } from './restoreObjects.ts'

/**
 * Makes sure that a restore brings its objects to a storage that is nobody else's, at each try: one that it claimed itself holds what
 * earlier tries brought, and a mark that says so. Throws a RangeError for any other that has objects of the backup: the settings may have
 * changed since the first try, to those of a deployment that lives.
 */
export async function claimStorage(
  storage: Storage,
  { target, objects, restoreId }: { target: Storage; restoreId: string } & Pick<Manifest, 'objects'>,
): Promise<void> {
  const mark = markOf(restoreId)
  if ((await storage.size(mark)) !== undefined) return
  if (await isInUse(storage, { target, objects })) {
    throw new RangeError(
      'the storage holds objects of this backup already: give an empty one, or --storage-in-place when nothing else uses it any more',
    )
  }
  await storage.put(mark, Readable.from([Buffer.from('a restore goes on here\n')]))
}

/** Takes the mark away once the restore is through; where there is none nothing happens. */
export async function releaseStorage(storage: Storage, restoreId: string): Promise<void> {
  await storage.remove(markOf(restoreId))
}

function markOf(restoreId: string): string {
  return `restoring/${restoreId}`
}
