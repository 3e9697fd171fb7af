import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** In bytes. `used` leaves out cached files, which the kernel frees before it kills a process. */
export type CgroupMemory = { used: number; limit: number }

/** Version 1 reports the largest multiple of the page size when there is no limit. */
const unlimitedFrom = 2 ** 62

/**
 * Reads the used memory of the cgroup of this process and its children, and its limit. Undefined without a limit, and on systems without
 * cgroups. `root`: the folder of `proc` and `sys`.
 */
export async function readCgroupMemory(root = '/'): Promise<CgroupMemory | undefined> {
  const groups = await textOf(join(root, 'proc/self/cgroup'))
  const pathInV2 = /^0::(.*)$/m.exec(groups)?.[1]
  const pathInV1 = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups)?.[1]
  if (pathInV1 !== undefined) return readV1(join(root, 'sys/fs/cgroup/memory'), pathInV1)
  return pathInV2 === undefined ? undefined : readV2(join(root, 'sys/fs/cgroup'), pathInV2)
}

/** The limits of all parent groups apply too. Returns the group that is nearest to its limit. */
async function readV2(mount: string, path: string): Promise<CgroupMemory | undefined> {
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

/** In a container, the path may be that of the host. Then the group of the container is the root of the mount. */
async function readV1(mount: string, path: string): Promise<CgroupMemory | undefined> {
  for (const folder of [join(mount, path), mount]) {
    const [usage, stat] = await Promise.all(['memory.usage_in_bytes', 'memory.stat'].map((name) => textOf(join(folder, name))))
    if (!usage || !stat) continue
    const limit = statOf(stat, 'hierarchical_memory_limit')
    const used = Number.parseInt(usage, 10) - statOf(stat, 'total_inactive_file')
    return limit > 0 && limit < unlimitedFrom && used >= 0 ? { used, limit } : undefined
  }
  return undefined
}

function statOf(stat: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
