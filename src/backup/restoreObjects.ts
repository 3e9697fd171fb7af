import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import { namedNow } from '../domain/backups/namedObjects.ts'
import type { Sql } from '../domain/sql.ts'
import type { Storage } from '../storage/storage.ts'
import { type CopyOutcome, copyObject, objectsAtOnce } from './copyObject.ts'
import type { Manifest } from './manifest.ts'
import { type ListedObject, listed } from './objectList.ts'
import { requireIntact } from './readRows.ts'
import { objectKeyOf } from './target.ts'

export type Restored = { count: number; copied: number; copiedBytes: number; missing: number; missingNamed: string[] }

const namedMax = 100
const pageSize = 500
const askedMax = 200

/**
 * Brings the objects of a backup to the storage, all but those that are there in the right size; how often it was cut off before does not
 * matter. With `sql` only those that the database still names, as it knows them: what was deleted since stays deleted, and what was made
 * anew since is neither written over nor taken for what the backup holds under its key. Rejects with BackupDamaged, and brings nothing,
 * when the list of the objects is not as it was written.
 */
export async function restoreObjects(
  { target, storage, sql }: { target: Storage; storage: Storage; sql?: Sql },
  { objects }: Manifest,
): Promise<Restored> {
  await requireIntact(target, objects.list)
  const restored: Restored = { count: 0, copied: 0, copiedBytes: 0, missing: 0, missingNamed: [] }
  const wanted = sql ? stillReferenced(sql, listed(target, objects.list)) : listed(target, objects.list)
  await forEachConcurrent(wanted, objectsAtOnce, async (object) => {
    const isThere = sql !== undefined && object.sizeBytes === undefined && (await storage.size(object.key)) !== undefined
    const outcome: CopyOutcome = isThere
      ? { found: 'there' }
      : await copyObject({ from: target, fromKey: objectKeyOf(object), to: storage, toKey: object.key, object })
    restored.count += 1
    if (outcome.found === 'copied') {
      restored.copied += 1
      restored.copiedBytes += outcome.sizeBytes
    } else if (outcome.found !== 'there' && !object.settling) {
      restored.missing += 1
      if (restored.missingNamed.length < namedMax) restored.missingNamed.push(object.key)
    }
  })
  return restored
}

/**
 * Whether the storage has any of a few hundred objects from all over the backup: it is that of a deployment, which may be alive. The oldest
 * alone would not tell, for they are the first that a living one has removed since.
 */
export async function isInUse(storage: Storage, { target, objects }: { target: Storage } & Pick<Manifest, 'objects'>): Promise<boolean> {
  const step = Math.ceil(objects.count / askedMax)
  let number = 0
  for await (const { key } of listed(target, objects.list)) {
    number += 1
    const isAsked = number % step === 0 || number > objects.count - askedMax
    if (isAsked && (await storage.size(key)) !== undefined) return true
  }
  return false
}

async function* stillReferenced(sql: Sql, objects: AsyncIterable<ListedObject>): AsyncGenerator<ListedObject> {
  let page: ListedObject[] = []
  const flush = async function* () {
    const named = await namedNow(
      { sql },
      page.map(({ key }) => key),
    )
    yield* page.flatMap(({ key }) => named.get(key) ?? [])
    page = []
  }
  for await (const object of objects) {
    page.push(object)
    if (page.length === pageSize) yield* flush()
  }
  if (page.length > 0) yield* flush()
}
