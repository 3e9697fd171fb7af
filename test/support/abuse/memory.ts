import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf } from '../chaos/descendants.ts'

export const memoryBytesMax = 1024 ** 3
const sampleMs = 200
/** The expensive value (PSS) is read again after this growth. */
const growth = 1.02
const kibibyte = 1024

/** The maximum memory of a process and all its children, in bytes. */
export type MemoryPeak = {
  /** Shared pages count once, as for the kernel's limit (PSS). */
  bytes: number
  /** Shared pages count in each process (RSS). */
  residentBytes: number
}

export type MemoryWatch = { peak(): MemoryPeak; stop(): void }

/** Samples the memory of a process and all its children, five times a second. Linux only. */
export function watchMemory(pid: () => number | undefined): MemoryWatch {
  const stopping = new AbortController()
  const peak: MemoryPeak = { bytes: 0, residentBytes: 0 }
  const watch = async () => {
    for (let read = 0; !stopping.signal.aborted; ) {
      const residentBytes = await bytesOf(pid(), 'status', /^VmRSS:\s+(\d+)/m)
      peak.residentBytes = Math.max(peak.residentBytes, residentBytes)
      if (residentBytes > read * growth) {
        read = residentBytes
        peak.bytes = Math.max(peak.bytes, await bytesOf(pid(), 'smaps_rollup', /^Pss:\s+(\d+)/m))
      }
      await pause(sampleMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  void watch()
  return { peak: () => peak, stop: () => stopping.abort() }
}

async function bytesOf(pid: number | undefined, file: 'status' | 'smaps_rollup', figure: RegExp): Promise<number> {
  if (pid === undefined) return 0
  const each = await Promise.all(
    [pid, ...(await descendantsOf(pid))].map(async (one) => {
      const text = await readFile(`/proc/${one}/${file}`, 'utf8').catch(() => '')
      return Number(figure.exec(text)?.[1] ?? 0) * kibibyte
    }),
  )
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

/** A cgroup with a memory limit: at the limit the kernel kills one of its processes. */
export type MemoryGroup = {
  /** A command that joins the group and executes the given process. */
  wrapper: readonly string[]
  /** Number of kills by the kernel. */
  kills(): Promise<number>
  remove(): Promise<void>
}

/** Creates a cgroup v2 with the memory controller; undefined if this machine has none that we may write to. */
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
