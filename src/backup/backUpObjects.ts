import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import { namedNow } from '../domain/backups/namedObjects.ts'
import type { Sql } from '../domain/sql.ts'
import type { Storage } from '../storage/storage.ts'
import { copyObject, objectsAtOnce } from './copyObject.ts'
import type { Manifest, Missing, WrittenFile } from './manifest.ts'
import { type ListedObject, listed, markedWith } from './objectList.ts'
import { objectKeyOf } from './target.ts'

const namedMissingMax = 1000

export type Copied = Omit<Manifest['objects'], 'list' | 'count'>

type BackUp = {
  sql: Sql
  storage: Storage
  target: Storage
  list: WrittenFile
  /** The list of an earlier complete snapshot: its objects are not checked again. */
  before: WrittenFile | undefined
  signal: AbortSignal
  onObject: () => void
}

/** Copies every listed object that the target lacks. Missing objects are reported, and the others are copied. */
export async function backUpObjects({ sql, storage, target, list, before, signal, onObject }: BackUp): Promise<Copied> {
  const copied: Copied = { bytes: 0, copied: 0, copiedBytes: 0, missingCount: 0, missing: [] }
  const note = async ({ key, settling }: ListedObject, isDamaged: boolean) => {
    // The deployment removes such a file itself if its content is missing.
    if (settling) return
    const why: Missing['why'] = isDamaged ? 'damaged' : (await namedNow({ sql }, [key])).has(key) ? 'lost' : 'deleted'
    copied.missingCount += 1
    if (copied.missing.length < namedMissingMax) copied.missing.push({ key, why })
  }
  const marked = markedWith(listed(target, list), before ? [listed(target, before)] : [])
  await forEachConcurrent(marked, objectsAtOnce, async ({ object, elsewhere }) => {
    signal.throwIfAborted()
    copied.bytes += object.sizeBytes ?? 0
    onObject()
    if (elsewhere?.settling === false && object.sha256 !== undefined) return
    const outcome = await copyObject({ from: storage, fromKey: object.key, to: target, toKey: objectKeyOf(object), object })
    if (outcome.found === 'copied') {
      copied.copied += 1
      copied.copiedBytes += outcome.sizeBytes
    } else if (outcome.found !== 'there') await note(object, outcome.found === 'damaged')
  })
  return copied
}
