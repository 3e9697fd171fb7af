import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const abandonedAfterMs = 60 * 60 * 1000
const nameForm = /^([0-9a-f]{12})-([0-9]{1,10})-[0-9a-f]{16}$/
const ourPidSpace = pidSpace()

/** Returns a new name for a temporary file or folder. The name contains the process that writes it. */
export function temporaryName(): string {
  return `${ourPidSpace}-${process.pid}-${randomBytes(8).toString('hex')}`
}

/**
 * Removes temporary files of crashed writers from `folder`: at once when the process is known to be dead, else after an hour without
 * writes. Files with other names stay. If a live writer loses its file, its rename fails and no object is stored.
 */
export async function sweepTemporaryFiles(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, space, pid] = nameForm.exec(name) ?? []
    if (space === undefined) continue
    const path = join(folder, name)
    const dead = space === ourPidSpace && !isAlive(Number(pid))
    if (dead || now.getTime() - (await lastWrittenAt(path)) > abandonedAfterMs) await rm(path, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function lastWrittenAt(path: string): Promise<number> {
  // A file that has just disappeared counts as new, because there is nothing to remove.
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY
}

/** Identifies the PID namespace of this process, because containers and machines may share one folder. */
function pidSpace(): string {
  let space: string
  try {
    space = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid')
  } catch {
    space = hostname()
  }
  return createHash('sha256').update(space).digest('hex').slice(0, 12)
}
