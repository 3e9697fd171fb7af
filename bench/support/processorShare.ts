import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const periodMicros = 20_000
const folders = { first: '/sys/fs/cgroup/cpu', second: '/sys/fs/cgroup' }

/**
 * Gives a process, and all that it has started or starts, no more than `share` of one processor, so that several stand for as many machines
 * and another still has room beside them. Undefined where the kernel's control groups may not be made: that takes root.
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
      // Somebody in it has not quite ended; an empty group costs nothing.
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
