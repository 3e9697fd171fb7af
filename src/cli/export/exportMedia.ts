import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ObjectNotFound, type Storage } from '../../storage/storage.ts'

/** An object of an export, and its path in the folder. */
export type Medium = { id: string; key: string; path: string; sizeBytes: number; sha256: string }
/** A line of `media.jsonl`; `lost` is the reason why the object is missing. */
export type MediumLine = { id: string; path: string; sizeBytes: number; sha256: string; lost?: string }

/**
 * Copies the objects of the file `list` and yields a line for each, in order. An existing file with the right size and checksum is not
 * fetched again. An object that the storage lacks or has with other content is reported as lost; any other failure is thrown.
 */
export async function* copyMedia(storage: Storage, { folder, list }: { folder: string; list: string }): AsyncGenerator<MediumLine[]> {
  for await (const text of createInterface({ input: createReadStream(join(folder, list)) })) {
    const medium = JSON.parse(text) as Medium
    const lost = await copyMedium(storage, folder, medium)
    const { id, path, sizeBytes, sha256 } = medium
    yield [{ id, path, sizeBytes, sha256, ...(lost === undefined ? {} : { lost }) }]
  }
}

async function copyMedium(storage: Storage, folder: string, { key, path, sizeBytes, sha256 }: Medium): Promise<string | undefined> {
  const place = join(folder, path)
  if (await isWhole(place, { sizeBytes, sha256 })) return undefined
  await rm(place, { force: true })
  const part = `${place}.part`
  const hash = createHash('sha256')
  try {
    const hashing = new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, (hash.update(chunk), chunk)) })
    await pipeline(await storage.open(key), hashing, createWriteStream(part, { mode: 0o600, flush: true }))
  } catch (error) {
    if (error instanceof ObjectNotFound) return 'the storage does not have it'
    throw error
  }
  if (hash.digest('hex') === sha256) {
    await rename(part, place)
    return undefined
  }
  await rm(part)
  return 'the storage has other content'
}

async function isWhole(place: string, { sizeBytes, sha256 }: Pick<Medium, 'sizeBytes' | 'sha256'>): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  if (found?.size !== sizeBytes) return false
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(place)) hash.update(chunk as Buffer)
  return hash.digest('hex') === sha256
}
