import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { checkStorage } from './checkStorage.ts'
import { consumeSource, ignoreStreamErrors } from './consumeSource.ts'
import { measure } from './measure.ts'
import { assertByteRange, assertObjectKey } from './objectKey.ts'
import { type ByteRange, ObjectNotFound, type Storage, type StoredObject } from './storage.ts'
import { sweepPeriodically } from './sweepPeriodically.ts'
import { hasSymlinkedParent, isBehindSymlink } from './symlinks.ts'
import { temporaryName } from './temporaryFiles.ts'

/** Bytes per read call: one call for small objects, few calls for large ones. */
const readBytes = 256 * 1024

/**
 * Creates storage in a local folder, which several processes may share. A missing folder is created. Content is written to a temporary file
 * on the same file system, synced, then renamed. Temporary files of crashed writers are swept at the start and every hour.
 * `refuseSymlinks`, for folders with other writers: objects behind a symbolic link below the folder do not exist and are not written or
 * removed. The folder itself may be a link.
 */
export function diskStorage(options: { folder: string; refuseSymlinks?: boolean }): Storage {
  const folder = resolve(options.folder)
  const writingFolder = join(folder, '.writing')
  const sweeping = sweepPeriodically(writingFolder)
  const readPathOf = async (key: string) => {
    const path = pathIn(folder, key)
    if (options.refuseSymlinks && (await isBehindSymlink(folder, key))) throw new ObjectNotFound(key)
    return path
  }
  const writePathOf = async (key: string) => {
    const path = pathIn(folder, key)
    if (options.refuseSymlinks && ((await hasSymlinkedParent(folder, key)) || (await hasSymlinkedParent(folder, '.writing/any'))))
      throw new RangeError(`${key} cannot be written: its path contains a symbolic link`)
    return path
  }

  const storage: Storage = {
    put: (key, source, { signal } = {}) =>
      consumeSource(source, signal, async () => {
        const measured = await writeFile({ path: await writePathOf(key), writingFolder, source, signal })
        return { key, ...measured }
      }),
    take: async (key, path) => {
      if (await moveFile(path, await writePathOf(key))) return
      await storage.put(key, createReadStream(path))
    },
    open: async (key, range) => openFile(await readPathOf(key), key, range),
    read: async (key, range) => readFile(await readPathOf(key), key, range),
    size: async (key) => {
      const path = pathIn(folder, key)
      return options.refuseSymlinks && (await isBehindSymlink(folder, key)) ? undefined : await fileSize(path)
    },
    remove: async (key) => {
      const path = pathIn(folder, key)
      if (options.refuseSymlinks && (await hasSymlinkedParent(folder, key))) return
      await unlink(path).catch(ignoreAbsent)
    },
    check: () => checkStorage(storage, `the folder ${folder}`),
    close: () => sweeping.close(),
  }
  return storage
}

type Writing = { path: string; writingFolder: string; source: Readable; signal: AbortSignal | undefined }

async function writeFile({ path, writingFolder, source, signal }: Writing): Promise<Omit<StoredObject, 'key'>> {
  const temporaryPath = join(writingFolder, temporaryName())
  try {
    const measured = await writeSynced(temporaryPath, source)
    await makeFolderSynced(dirname(path))
    signal?.throwIfAborted()
    await rename(temporaryPath, path)
    await syncFolder(dirname(path))
    return measured
  } catch (error) {
    await unlink(temporaryPath).catch(ignoreAbsent)
    throw error
  }
}

async function writeSynced(path: string, source: Readable): Promise<Omit<StoredObject, 'key'>> {
  const handle = await createFile(path)
  try {
    const measured = measure(source)
    for await (const chunk of measured.chunks) await handle.writeFile(chunk)
    await handle.sync()
    return measured.result()
  } finally {
    await handle.close()
  }
}

/** Creates the file, and its folder only if it is missing: most writes then take one call less. */
async function createFile(path: string): Promise<FileHandle> {
  const create = () => open(path, 'wx', 0o600)
  return await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await create()
  })
}

/** Moves the file durably. Returns false when `to` is on another file system. */
async function moveFile(from: string, to: string): Promise<boolean> {
  const handle = await open(from, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await makeFolderSynced(dirname(to))
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false
    throw error
  }
  await syncFolder(dirname(to))
  return true
}

async function makeFolderSynced(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (firstMade === undefined) return
  // A new folder survives a power failure only after its parent folder is synced.
  for (let made = folder; made !== dirname(firstMade); made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openFile(path: string, key: string, range: ByteRange | undefined): Promise<Readable> {
  const { handle, sizeBytes } = await openForReading(path, key, range)
  if (sizeBytes === 0) return ignoreStreamErrors(handle.createReadStream())
  // With a known end, the stream needs no extra read to detect the end of the file.
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  return ignoreStreamErrors(handle.createReadStream({ start, end, highWaterMark: Math.min(readBytes, end - start + 1) }))
}

/** Reads into an unpooled buffer, so that its reader can free it at once. */
async function readFile(path: string, key: string, range: ByteRange | undefined): Promise<Buffer> {
  const { handle, sizeBytes } = await openForReading(path, key, range)
  try {
    const { start, end } = range ?? { start: 0, end: sizeBytes }
    const content = Buffer.allocUnsafeSlow(Math.min(end + 1, sizeBytes) - start)
    let filled = 0
    while (filled < content.length) {
      const { bytesRead } = await handle.read(content, filled, content.length - filled, start + filled)
      if (bytesRead === 0) throw new Error(`${key} was truncated while it was read`)
      filled += bytesRead
    }
    return content
  } finally {
    await handle.close()
  }
}

type OpenFile = { handle: FileHandle; sizeBytes: number }

async function openForReading(path: string, key: string, range: ByteRange | undefined): Promise<OpenFile> {
  if (range) assertByteRange(range)
  const handle = await open(path, 'r').catch(ignoreAbsent)
  if (handle === undefined) throw new ObjectNotFound(key)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new ObjectNotFound(key)
    if (range) assertByteRange(range, found.size)
    return { handle, sizeBytes: found.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(ignoreAbsent)
  return found?.isFile() ? found.size : undefined
}

function pathIn(folder: string, key: string): string {
  assertObjectKey(key)
  return join(folder, key)
}

/** An object is also absent when its key is a folder of other objects, or when another object is a part of its path. */
function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)) throw error
}
