import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import { noProgress, type ShowProgress } from '../database/progress.ts'
import { namedNow } from '../domain/backups/namedObjects.ts'
import type { Sql } from '../domain/sql.ts'
import type { Storage } from '../storage/storage.ts'
import { type CopyOutcome, copyObject, objectsAtOnce } from './copyObject.ts'
import type { Manifest } from './manifest.ts'
import { type ListedObject, listed, listedIntact } from './objectList.ts'
import { requireIntact } from './readRows.ts'
import { objectKeyOf } from './target.ts'

export type Restored = { count: number; copied: number; copiedBytes: number; missing: number; missingNamed: string[] }

const namedMax = 100
const pageSize = 500
const sampleMax = 200

/**
 * Copies the objects of a backup to the storage, except those that exist with the right size; may be interrupted and repeated. With `sql`,
 * copies only objects that the database still names with the same content: deleted objects stay deleted, and objects that were created
 * again since are not overwritten. Rejects with BackupDamaged, before copying, if the object list is damaged, and at the end if it was changed
 * meanwhile.
 */
export async function restoreObjects(
  { target, storage, sql, showProgress = noProgress }: { target: Storage; storage: Storage; sql?: Sql; showProgress?: ShowProgress },
  { objects }: Pick<Manifest, 'objects'>,
): Promise<Restored> {
  await requireIntact(target, objects.list)
  const restored: Restored = { count: 0, copied: 0, copiedBytes: 0, missing: 0, missingNamed: [] }
  const step = showProgress({ label: 'objects', unit: 'objects', total: objects.count })
  const inList = listedIntact(target, objects.list)
  const listedObjects = sql ? stillReferenced(sql, inList) : inList
  await forEachConcurrent(listedObjects, objectsAtOnce, async (object) => {
    const isThere = sql !== undefined && object.sizeBytes === undefined && (await storage.size(object.key)) !== undefined
    const outcome: CopyOutcome = isThere
      ? { found: 'there' }
      : await copyObject({ from: target, fromKey: objectKeyOf(object), to: storage, toKey: object.key, object })
    restored.count += 1
    step.add(1)
    if (outcome.found === 'copied') {
      restored.copied += 1
      restored.copiedBytes += outcome.sizeBytes
    } else if (outcome.found !== 'there' && !object.settling) {
      restored.missing += 1
      if (restored.missingNamed.length < namedMax) restored.missingNamed.push(object.key)
    }
  })
  step.end()
  return restored
}

/**
 * Whether the storage has any of a few hundred sampled objects of the backup, so that it belongs to a deployment that may be running. The
 * sample covers the whole backup, since a running deployment removes its oldest objects first.
 */
export async function isInUse(storage: Storage, { target, objects }: { target: Storage } & Pick<Manifest, 'objects'>): Promise<boolean> {
  const step = Math.ceil(objects.count / sampleMax)
  let number = 0
  for await (const { key } of listed(target, objects.list)) {
    number += 1
    const isAsked = number % step === 0 || number > objects.count - sampleMax
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
