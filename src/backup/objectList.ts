import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Snapshot } from '../database/dump/snapshot.ts'
import { type NamedObject, namedObjects } from '../domain/backups/namedObjects.ts'
import type { Storage } from '../storage/storage.ts'
import type { WrittenFile } from './manifest.ts'
import { BackupDamaged } from './readRows.ts'
import { snapshotKeyOf } from './target.ts'

/** An object of a snapshot, as recorded in the database at that moment. */
export type ListedObject = NamedObject

const readBytes = 1024 * 1024

/** Writes the list of all objects of the snapshot, in the order of their keys; {@link listed} reads it. */
export async function writeObjectList(
  snapshot: Snapshot,
  { storage, name }: { storage: Storage; name: string },
): Promise<{ list: WrittenFile; count: number }> {
  let count = 0
  async function* lines(): AsyncGenerator<Buffer> {
    for (const selection of [namedObjects.files, namedObjects.made, namedObjects.results]) {
      const { content, rows } = snapshot.copyOut(
        `select o.key, o.size_bytes, o.sha256, o.settling from (${selection}) o order by o.id collate "C"`,
      )
      yield* content
      count += await rows()
    }
  }
  const written = await storage.put(snapshotKeyOf(name, 'objects.tsv'), Readable.from(lines(), { objectMode: false }))
  return { list: written, count }
}

/** Reads a list in pieces, so that no connection stays open while the caller works. `onPiece` gets the bytes as they are read. */
export async function* listed(
  storage: Storage,
  { key, sizeBytes }: Pick<WrittenFile, 'key' | 'sizeBytes'>,
  onPiece?: (piece: Buffer) => void,
): AsyncGenerator<ListedObject> {
  let rest = ''
  for (let start = 0; start < sizeBytes; start += readBytes) {
    const piece = await storage.read(key, { start, end: Math.min(start + readBytes, sizeBytes) - 1 })
    onPiece?.(piece)
    const lines = (rest + piece.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield objectOf(line)
  }
}

/**
 * Reads a list like {@link listed}, and throws {@link BackupDamaged} at its end if the bytes differ from its checksum. An earlier check is
 * not enough: the list is read for as long as its objects are copied, and others may have write access to the target.
 */
export async function* listedIntact(storage: Storage, file: WrittenFile): AsyncGenerator<ListedObject> {
  const hash = createHash('sha256')
  yield* listed(storage, file, (piece) => hash.update(piece))
  if (hash.digest('hex') !== file.sha256) throw new BackupDamaged(file.key)
}

const absent = '\\N'

function objectOf(line: string): ListedObject {
  const [key = '', size = absent, sha256 = absent, settling = 'f'] = line.split('\t')
  return {
    key,
    sizeBytes: size === absent ? undefined : Number(size),
    sha256: sha256 === absent ? undefined : sha256,
    settling: settling === 't',
  }
}

/** Yields each item with its match (same key and content) in any of `others`, if any. All lists are in the order of keys. */
export async function* markedWith(
  items: AsyncIterable<ListedObject>,
  others: readonly AsyncGenerator<ListedObject>[],
): AsyncGenerator<{ object: ListedObject; elsewhere: ListedObject | undefined }> {
  const heads = await Promise.all(others.map(async (list) => ({ list, head: await list.next() })))
  for await (const object of items) {
    let elsewhere: ListedObject | undefined
    for (const other of heads) {
      while (other.head.done !== true && other.head.value.key < object.key) other.head = await other.list.next()
      const found = other.head.done === true ? undefined : other.head.value
      if (found?.key === object.key && found.sha256 === object.sha256) elsewhere = found
    }
    yield { object, elsewhere }
  }
}
