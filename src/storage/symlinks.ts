import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** True when `key` below `folder` is a symbolic link or its path contains one; false when it does not exist. */
export async function isBehindSymlink(folder: string, key: string): Promise<boolean> {
  const [top, found] = [await realpath(folder).catch(absent), await realpath(join(folder, key)).catch(absent)]
  return top !== undefined && found !== undefined && found !== join(top, key)
}

/** True when a folder between `folder` and `key` is a symbolic link. The entry `key` itself may be one: it is replaced or removed. */
export async function hasSymlinkedParent(folder: string, key: string): Promise<boolean> {
  for (let above = dirname(key); above !== '.'; above = dirname(above)) {
    if ((await lstat(join(folder, above)).catch(absent))?.isSymbolicLink()) return true
  }
  return false
}

/** ENOTDIR: another object is a part of the path. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
}
