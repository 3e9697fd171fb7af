import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const periodMicros = 20_000
const folders = { first: '/sys/fs/cgroup/cpu', second: '/sys/fs/cgroup' }

/**
 * Limits a process and its descendants to `share` of one processor, so that several processes simulate several machines. Returns undefined
 * if control groups cannot be created, which needs root.
 */
export function limitProcessor(pid: number, share: number): { free(): void } | undefined {
  const isFirst = existsSync(join(folders.first, 'cpu.cfs_quota_us'))
  const folder = join(isFirst ? folders.first : folders.second, `atelier-bench-${pid}`)
  try {
    mkdirSync(folder)
  } catch {
    return undefined
  }
  const free = () => {
    try {
      rmdirSync(folder)
    } catch {
      // A process in it is still ending; an unused group costs nothing.
    }
  }
  try {
    const quota = String(Math.round(periodMicros * share))
    if (isFirst) {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodMicros))
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), quota)
    } else {
      writeFileSync(join(folder, 'cpu.max'), `${quota} ${periodMicros}`)
    }
    for (const one of [pid, ...descendantsOf(pid)]) writeFileSync(join(folder, 'cgroup.procs'), String(one))
    return { free }
  } catch {
    free()
    return undefined
  }
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}
