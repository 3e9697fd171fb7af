import { constants, type Stats } from 'node:fs'
import { chmod, chown, copyFile, type FileHandle, link, lstat, mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './workerMessages.ts'

/**
 * The one folder that a worker gets at, which is its working directory: it names what lies there relatively, since the folders above
 * are closed to its account.
 */
export type ScratchFolder = {
  path: string
  /** Puts a file in, by a second name where the file system can, else as a copy; the worker may read it. */
  lend(name: string, file: string): Promise<void>
  /** Opens what the worker left under `name`, if anything: a regular file that has no other name, never what a link leads to. */
  take(name: string): Promise<FileHandle | undefined>
  /** Removes everything but what stood there when the worker began. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/** `mayWrite`: whether the worker may make files of its own there. */
export async function makeScratchFolder(at: string, options: { account: Account | undefined; mayWrite: boolean }): Promise<ScratchFolder> {
  await mkdir(at, { recursive: true, mode: 0o700 })
  const path = await realpath(at)
  const { account, mayWrite } = options
  // Ours, and the worker's by its group alone; the sticky bit keeps it from taking lent files out.
  if (account) await openTo(path, account, mayWrite ? 0o1770 : 0o750)
  const lent = new Map<string, Stats>()

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
      const target = join(path, name)
      await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_EXCL))
      lent.set(name, await lstat(target))
      if (account) await openTo(target, account, 0o640)
    },
    async take(name) {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await open(join(path, name), flags).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!file) return undefined
      const stat = await file.stat()
      if (stat.isFile() && stat.nlink === 1) return file
      await file.close()
      throw new Error('the worker left no regular file')
    },
    async clear() {
      for (const name of lent.keys()) await restoreRights(name)
      for (const name of await readdir(path)) {
        if (!name.startsWith(preservedPrefix)) await rm(join(path, name), { recursive: true, force: true })
      }
    },
    async remove() {
      for (const name of lent.keys()) await restoreRights(name).catch(() => undefined)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Files of these names stay for the life of the worker. */
export const preservedPrefix = 'worker-'

async function openTo(path: string, { gid }: Account, mode: number): Promise<void> {
  await chown(path, process.getuid?.() ?? 0, gid)
  await chmod(path, mode)
}
