import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf } from '../chaos/descendants.ts'

export const memoryBytesMax = 1024 ** 3
const sampleMs = 200
const kibibyte = 1024

export type MemoryWatch = { peakBytes(): number; stop(): void }

/** Samples the resident memory of a process and all its children, five times a second. Pages that they share count once for each. */
export function watchMemory(pid: () => number | undefined): MemoryWatch {
  const stopping = new AbortController()
  let peak = 0
  const watch = async () => {
    while (!stopping.signal.aborted) {
      peak = Math.max(peak, await residentBytes(pid()))
      await pause(sampleMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  void watch()
  return { peakBytes: () => peak, stop: () => stopping.abort() }
}

/** Of a process and all its children; 0 when it is gone. Linux only. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0
  const pids = [pid, ...(await descendantsOf(pid))]
  const each = await Promise.all(
    pids.map(async (one) => {
      const status = await readFile(`/proc/${one}/status`, 'utf8').catch(() => '')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * kibibyte
    }),
  )
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

/** A group of processes whose memory the kernel limits: at the limit it kills one of them. */
export type MemoryGroup = {
  /** A command that joins the group and becomes the process that it is given. */
  wrapper: readonly string[]
  /** How often the kernel had to kill. */
  kills(): Promise<number>
  remove(): Promise<void>
}

/** Makes a group by cgroup v2 with the memory controller; `undefined` where this machine has none that we may write to. */
export async function makeMemoryGroup(name: string, root = '/sys/fs/cgroup'): Promise<MemoryGroup | undefined> {
  if (!existsSync(join(root, 'cgroup.controllers'))) return undefined
  const folder = join(root, name)
  try {
    await writeFile(join(root, 'cgroup.subtree_control'), '+memory')
    await mkdir(folder)
    await writeFile(join(folder, 'memory.max'), String(memoryBytesMax))
    await writeFile(join(folder, 'memory.swap.max'), '0').catch(() => undefined)
  } catch {
    await rmdir(folder).catch(() => undefined)
    return undefined
  }
  return {
    wrapper: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
    async kills() {
      const events = await readFile(join(folder, 'memory.events'), 'utf8')
      return Number(/^oom_kill (\d+)/m.exec(events)?.[1] ?? 0)
    },
    remove: () => rmdir(folder),
  }
}
