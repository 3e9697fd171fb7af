import { chmod, mkdir, stat } from 'node:fs/promises'
import type { Log } from '../../domain/context.ts'

const stickyBit = 0o1000

/**
 * Makes the data folder for our account alone, and takes everybody else's rights from one that is there already. A folder that is shared
 * on purpose, as /tmp is, stays as it is, and so does one whose rights are not ours to change: both are logged.
 */
export async function openDataFolder(folder: string, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode } = await stat(folder)
  if ((mode & 0o077) === 0) return
  try {
    if ((mode & stickyBit) !== 0) throw new Error('it is shared by everybody on this machine')
    await chmod(folder, 0o700)
  } catch (error) {
    log.warn({ folder, reason: (error as Error).message }, 'others can enter the data folder')
  }
}
