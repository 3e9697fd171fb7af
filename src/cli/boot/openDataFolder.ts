import { chmod, mkdir, stat } from 'node:fs/promises'
import type { Log } from '../../domain/context.ts'

const stickyBit = 0o1000

/**
 * Creates the data folder, accessible to the account of this process only. If the folder exists, removes the permissions of all other
 * accounts. Logs a warning and changes nothing if the folder is shared, such as /tmp, or if its permissions cannot be changed.
 */
export async function openDataFolder(folder: string, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode } = await stat(folder)
  if ((mode & 0o077) === 0) return
  try {
    if ((mode & stickyBit) !== 0) throw new Error('all accounts of this machine share it')
    await chmod(folder, 0o700)
  } catch (error) {
    log.warn({ folder, reason: (error as Error).message }, 'other accounts can access the data folder')
  }
}
