import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseStartError, FolderInUseError } from '../databaseStartError.ts'

export type FolderLock = { release(): void }

/**
 * Locks the folder for this process until `release` or its end, also if it is killed. Node has no file locks; SQLite uses those of the
 * operating system, which are safe against reused process ids and work across containers that share the folder.
 * Throws {@link DatabaseStartError} if another process holds the lock.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const holderFile = join(folder, 'holder.pid')
  const file = openLockFile(folder)
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!/locked/.test(String(error))) throw error
    const holder = (await readFile(holderFile, 'utf8').catch(() => '')).trim()
    throw new FolderInUseError(
      `the folder ${folder} is in use by another process${holder === '' ? '' : ` (${holder})`}: stop it first, or set another DATA_DIR`,
    )
  }
  await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 })
  return { release: () => file.close() }
}

function openLockFile(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 })
  } catch (cause) {
    throw new DatabaseStartError(`the folder ${folder} cannot be locked: this user has no write access to ${join(folder, 'lock.sqlite')}`, {
      cause,
    })
  }
}
