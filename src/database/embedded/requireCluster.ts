import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError } from '../databaseStartError.ts'

/** Throws {@link DatabaseStartError} if `folder` has no embedded database, so that a command creates none and reports on it. */
export async function requireCluster(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
  try {
    await access(join(cluster, 'PG_VERSION'))
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const why = ['ENOENT', 'ENOTDIR'].includes(code) ? 'does not exist' : `cannot be read (${code})`
    throw new DatabaseStartError(`DATA_DIR has no embedded database: ${cluster} ${why}`, { cause })
  }
}
