import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** `used`: without cached files, which the kernel frees before it ends a process for its memory. */
export type CgroupMemory = { used: number; limit: number }

/** A limit of version 1 that means none is the largest multiple of the page size. */
const unlimited = 2 ** 62

/**
 * Reads the memory in use and its limit in bytes, of the cgroup of this process and its children. Undefined without a limit, and where
 * the system has no cgroups. `root`: the folder of `proc` and `sys`.
 */
export async function readCgroupMemory(root = '/'): Promise<CgroupMemory | undefined> {
  const groups = await textOf(join(root, 'proc/self/cgroup'))
  const second = /^0::(.*)$/m.exec(groups)?.[1]
  const first = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1]
  if (first !== undefined) return readFirstVersion(join(root, 'sys/fs/cgroup/memory'), first)
  return second === undefined ? undefined : readSecondVersion(join(root, 'sys/fs/cgroup'), second)
}

/** The limit of each parent counts too, so the fullest of all groups is returned. */
async function readSecondVersion(mount: string, path: string): Promise<CgroupMemory | undefined> {
  const found: CgroupMemory[] = []
  for (let group = path; ; group = dirname(group)) {
    const folder = join(mount, group)
    const [max, current, stat] = await Promise.all(
      ['memory.max', 'memory.current', 'memory.stat'].map((name) => textOf(join(folder, name))),
    )
    const limit = Number.parseInt(max ?? '', 10)
    const used = Number.parseInt(current ?? '', 10) - statOf(stat ?? '', 'inactive_file')
    if (limit > 0 && used >= 0) found.push({ used, limit })
    if (group === '/' || group === '.') break
  }
  return found.toSorted((a, b) => b.used / b.limit - a.used / a.limit)[0]
}

/** In a container the path is that of the host, and its group is the root of the mount. */
async function readFirstVersion(mount: string, path: string): Promise<CgroupMemory | undefined> {
  for (const folder of [join(mount, path), mount]) {
    const [usage, stat] = await Promise.all(['memory.usage_in_bytes', 'memory.stat'].map((name) => textOf(join(folder, name))))
    if (!usage || !stat) continue
    const limit = statOf(stat, 'hierarchical_memory_limit')
    const used = Number.parseInt(usage, 10) - statOf(stat, 'total_inactive_file')
    return limit > 0 && limit < unlimited && used >= 0 ? { used, limit } : undefined
  }
  return undefined
}

function statOf(stat: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
