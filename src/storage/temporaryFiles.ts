import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const abandonedAfterMs = 60 * 60 * 1000
const nameForm = /^([0-9a-f]{12})-([0-9]{1,10})-[0-9a-f]{16}$/
const ourPidSpace = pidSpace()

/** A new name for a file or folder that is being written; it says which process writes it. */
export function temporaryName(): string {
  return `${ourPidSpace}-${process.pid}-${randomBytes(8).toString('hex')}`
}

/**
 * Removes from `folder` what dead writers left: at once where the writer is known to be gone, else when nothing was written for an
 * hour before `now`. Files of other names stay. Should a living writer lose its file, its rename fails and nothing is stored.
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
  // A file that has just gone counts as new: there is nothing left to remove.
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY
}

/** Names the set of processes in which our process number means something: containers and machines may share one folder. */
function pidSpace(): string {
  let space: string
  try {
    space = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid')
  } catch {
    space = hostname()
  }
  return createHash('sha256').update(space).digest('hex').slice(0, 12)
}
