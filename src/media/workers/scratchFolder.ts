import { constants, type Stats } from 'node:fs'
import { chmod, chown, copyFile, type FileHandle, link, lstat, mkdir, open, readdir, realpath, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './workerMessages.ts'

/**
 * The only folder that a worker can access. It is its working directory and file names are relative, because the worker's account cannot
 * access the folders above.
 */
export type ScratchFolder = {
  path: string
  /**
   * Adds the file at the path `file`, as a hard link, or as a copy when the file system has no links; or a file with the content `file`. The
   * worker may read it. A name is either for paths or for contents.
   */
  lend(name: string, file: string | Uint8Array): Promise<void>
  /** Opens the file that the worker left under `name`, if there is one. Accepts only a regular file without other links. */
  take(name: string): Promise<FileHandle | undefined>
  /** Deletes what was lent and what the worker left, and empties the files for contents. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/** `mayWrite`: the worker may create files in it. */
export async function makeScratchFolder(at: string, options: { account: Account | undefined; mayWrite: boolean }): Promise<ScratchFolder> {
  await mkdir(at, { recursive: true, mode: 0o700 })
  const path = await realpath(at)
  const { account, mayWrite } = options
  // We own the folder; the worker has access by its group. The sticky bit prevents it from deleting lent files.
  if (account) await openTo(path, account, mayWrite ? 0o1770 : 0o750)
  const lent = new Map<string, Stats>()
  /** The names that `clear` deletes if it does not list the folder. */
  const placed = new Set<string>()
  // Such a worker cannot create entries, so the folder needs no listing.
  const hasOnlyOurs = account !== undefined && !mayWrite
  // They stay open, because ext4 creates files slowly in a folder from which many were removed.
  const contentFiles = new Map<string, FileHandle>()

  async function openForContents(name: string): Promise<FileHandle> {
    const target = join(path, name)
    placed.add(name)
    const handle = await open(target, 'wx', 0o600)
    // If this fails, `clear` removes the file. Otherwise a later task would reuse a file that its worker cannot read.
    if (account) await openTo(target, account, 0o640).catch((error) => handle.close().then(() => Promise.reject(error)))
    contentFiles.set(name, handle)
    placed.delete(name)
    return handle
  }

  async function restoreRights(name: string): Promise<void> {
    const before = lent.get(name)
    lent.delete(name)
    if (!before || !account) return
    await chmod(join(path, name), before.mode & 0o777)
    await chown(join(path, name), before.uid, before.gid)
  }

  return {
    path,
    async lend(name, file) {
      if (typeof file !== 'string') return writeTo(contentFiles.get(name) ?? (await openForContents(name)), file)
      const target = join(path, name)
      placed.add(name)
      await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_EXCL))
      lent.set(name, await lstat(target))
      if (account) await openTo(target, account, 0o640)
    },
    take: (name) => openResult(join(path, name)),
    async clear() {
      for (const name of lent.keys()) await restoreRights(name)
      for (const handle of contentFiles.values()) await handle.truncate()
      for (const name of hasOnlyOurs ? placed : await readdir(path)) {
        if (!name.startsWith(preservedPrefix) && !contentFiles.has(name)) await removeEntry(join(path, name))
      }
      placed.clear()
    },
    async remove() {
      for (const name of lent.keys()) await restoreRights(name).catch(() => undefined)
      for (const handle of contentFiles.values()) await handle.close().catch(() => undefined)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function openResult(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  const stat = await file.stat()
  if (stat.isFile() && stat.nlink === 1) return file
  await file.close()
  throw new Error('the worker did not leave a regular file')
}

async function writeTo(handle: FileHandle, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; ) at += (await handle.write(content, at, content.length - at, at)).bytesWritten
}

/** One call for a file. `rm` takes three, and removes folders too. */
async function removeEntry(path: string): Promise<void> {
  await unlink(path).catch(() => rm(path, { recursive: true, force: true }))
}

/** Files with this prefix stay until the worker ends. */
export const preservedPrefix = 'worker-'

async function openTo(path: string, { gid }: Account, mode: number): Promise<void> {
  await chown(path, process.getuid?.() ?? 0, gid)
  await chmod(path, mode)
}
