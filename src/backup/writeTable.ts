import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { CopiedTable, Snapshot } from '../database/dump/snapshot.ts'
import type { Storage } from '../storage/storage.ts'
import type { WrittenFile, WrittenTable } from './manifest.ts'
import { snapshotKeyOf } from './target.ts'

/** Uncompressed size in PostgreSQL's text format. A restore loads a file in one transaction, and repeats at most one if interrupted. */
const fileBytes = 128 * 1024 * 1024
const newline = 0x0a

/** The name of a file of a table in a snapshot; numbers start with 1. */
export function tableFileOf(table: string, number: number): string {
  return `tables/${table.replaceAll('"', '')}.${String(number).padStart(5, '0')}.gz`
}

/**
 * Copies a table of the snapshot, or `selection` under its name, into compressed files of complete rows, with constant memory. A table
 * without rows has no file.
 */
export async function writeTable(
  snapshot: Snapshot,
  { storage, name, table, selection, onBytes = () => undefined }: TableRequest,
): Promise<WrittenTable> {
  const { content, rows } = snapshot.copyOut(selection ?? `select ${table.columns.join(', ')} from ${table.name}`)
  const files: WrittenFile[] = []
  for await (const part of inParts(content, onBytes)) {
    const source = Readable.from(part, { objectMode: false })
    const zipped = createGzip({ level: 1 })
    source.on('error', (error) => zipped.destroy(error))
    zipped.on('close', () => source.destroy())
    const key = snapshotKeyOf(name, tableFileOf(table.name, files.length + 1))
    const { sizeBytes, sha256 } = await storage.put(key, source.pipe(zipped), { contentType: 'application/gzip' })
    files.push({ key, sizeBytes, sha256 })
  }
  return { ...table, rows: await rows(), files }
}

/** `onBytes` is called as the rows are read, with their uncompressed size. */
type TableRequest = { storage: Storage; name: string; table: CopiedTable; selection?: string; onBytes?: (count: number) => void }

/** Splits after rows: in the text format, only the end of a row is a line break. Read each part to its end before requesting the next. */
async function* inParts(content: Readable, onBytes: (count: number) => void): AsyncGenerator<AsyncGenerator<Buffer>> {
  const chunks: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
  let next = await chunks.next()
  async function* part(): AsyncGenerator<Buffer> {
    for (let bytes = 0; next.done !== true; next = await chunks.next()) {
      const chunk = next.value
      const cut = bytes < fileBytes ? -1 : chunk.indexOf(newline)
      if (cut >= 0) {
        yield chunk.subarray(0, cut + 1)
        next = cut + 1 < chunk.length ? { value: chunk.subarray(cut + 1) } : await chunks.next()
        return
      }
      yield chunk
      bytes += chunk.length
      onBytes(chunk.length)
    }
  }
  while (next.done !== true) yield part()
}
