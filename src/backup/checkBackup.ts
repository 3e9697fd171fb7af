import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import { ObjectNotFound, type Storage } from '../storage/storage.ts'
import { objectsAtOnce } from './copyObject.ts'
import type { Manifest } from './manifest.ts'
import { type ListedObject, listed } from './objectList.ts'
import { matchesChecksum } from './readRows.ts'
import { objectKeyOf } from './target.ts'

const namedMax = 100

export type BackupFaults = { count: number; named: string[] }

/** Reads a whole snapshot and compares checksums. Objects that were already missing when it was made are not faults. */
export async function checkBackup(storage: Storage, { tables, jobs, objects }: Manifest): Promise<BackupFaults> {
  const faults: BackupFaults = { count: 0, named: [] }
  const check = async (expected: { key: string; sizeBytes: number | undefined; sha256: string | undefined }) => {
    const isSound = await matchesChecksum(storage, expected).catch((error: unknown) => {
      if (error instanceof ObjectNotFound) return undefined
      throw error
    })
    if (isSound) return
    faults.count += 1
    if (faults.named.length < namedMax) faults.named.push(`${expected.key} ${isSound === undefined ? 'is missing' : 'is damaged'}`)
  }
  for (const file of [...tables.flatMap(({ files }) => files), ...jobs.files, objects.list]) await check(file)
  const missing = new Set(objects.missing.map(({ key }) => key))
  await forEachConcurrent(listed(storage, objects.list), objectsAtOnce, async (object: ListedObject) => {
    if (!missing.has(object.key) && !object.settling) await check({ ...object, key: objectKeyOf(object) })
  })
  return faults
}
