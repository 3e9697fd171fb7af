import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Whether reading `key` below `folder` leads through a symbolic link, or to one; not when nothing is there. */
export async function isBehindSymlink(folder: string, key: string): Promise<boolean> {
  const [top, found] = [await realpath(folder).catch(absent), await realpath(join(folder, key)).catch(absent)]
  return top !== undefined && found !== undefined && found !== join(top, key)
}

/** Whether a folder between `folder` and `key` is a symbolic link. What has the name of the key itself is replaced or removed as it is. */
export async function hasSymlinkedParent(folder: string, key: string): Promise<boolean> {
  for (let above = dirname(key); above !== '.'; above = dirname(above)) {
    if ((await lstat(join(folder, above)).catch(absent))?.isSymbolicLink()) return true
  }
  return false
}

/** Also where a key leads through an object. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === undefined || !['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
}
