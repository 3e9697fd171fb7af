import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { measure } from '../storage/measure.ts'
import type { Storage } from '../storage/storage.ts'
import type { WrittenFile } from './manifest.ts'

/** A file of a backup does not match its checksum: its content must not be used. */
export class BackupDamaged extends Error {
  constructor(key: string) {
    super(`${key} is damaged: restore another snapshot`)
    this.name = 'BackupDamaged'
  }
}

/** Reads the rows of a table's file. Call `check` at the end: it throws {@link BackupDamaged} if the checksum differs. */
export async function readRows(storage: Storage, file: WrittenFile): Promise<{ content: Readable; check: () => void }> {
  const measured = measure(await storage.open(file.key))
  const zipped = Readable.from(measured.chunks, { objectMode: false })
  const content = createGunzip()
  zipped.on('error', (error) => content.destroy(error))
  content.on('close', () => zipped.destroy())
  const check = () => {
    const { sizeBytes, sha256 } = measured.result()
    if (sizeBytes !== file.sizeBytes || sha256 !== file.sha256) throw new BackupDamaged(file.key)
  }
  return { content: zipped.pipe(content), check }
}

/** Reads a file of a snapshot to its end; rejects with {@link BackupDamaged} if the checksum differs. */
export async function requireIntact(storage: Storage, file: WrittenFile): Promise<void> {
  if (!(await matchesChecksum(storage, file))) throw new BackupDamaged(file.key)
}

/** Reads an object to its end and compares size and checksum; `undefined` is not compared. */
export async function matchesChecksum(
  storage: Storage,
  { key, sizeBytes, sha256 }: { key: string; sizeBytes: number | undefined; sha256: string | undefined },
): Promise<boolean> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of await storage.open(key)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return (sizeBytes ?? bytes) === bytes && (sha256 === undefined || hash.digest('hex') === sha256)
}
