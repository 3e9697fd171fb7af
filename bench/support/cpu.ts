import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processor time of one unit of work, in microseconds. */
export type Cpu = { serverMicros: number; databaseMicros: number }

/** Adds up the processor time of processes during work; for PostgreSQL all its processes, including ended ones. */
export type CpuMeter = {
  /** Measures `work`, which returns its number of units. */
  during<Result extends { count: number }>(work: () => Promise<Result>): Promise<Result>
  /** Processor time per unit, over all measured work. */
  perUnit(): Cpu
}

/** The unit of processor time in Linux, on every machine. */
const ticksPerSecond = 100

/** `serverPids`: the processes that do the work; `clusterFolder`: PostgreSQL's data folder. Reads /proc, so works on Linux only. */
export function cpuMeter({ serverPids, clusterFolder }: { serverPids: readonly number[]; clusterFolder: string }): CpuMeter {
  const postmaster = Number.parseInt(readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8'), 10)
  const serverTicksNow = () => serverPids.reduce((sum, pid) => sum + ticksOf(pid).own, 0)
  let serverTicks = 0
  let databaseTicks = 0
  let units = 0
  return {
    during: async (work) => {
      const before = { server: serverTicksNow(), database: familyTicks(postmaster) }
      const result = await work()
      serverTicks += serverTicksNow() - before.server
      databaseTicks += familyTicks(postmaster) - before.database
      units += result.count
      return result
    },
    perUnit: () => ({ serverMicros: micros(serverTicks) / units, databaseMicros: micros(databaseTicks) / units }),
  }
}

function micros(ticks: number): number {
  return (ticks / ticksPerSecond) * 1_000_000
}

/** The count of a parent includes its ended children. */
function familyTicks(parent: number): number {
  const { own, ended } = ticksOf(parent)
  let sum = own + ended
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const child = ticksOf(Number(name))
    if (child.parent === parent) sum += child.own + child.ended
  }
  return sum
}

/** Fields of /proc/<pid>/stat after the name, which may contain spaces. */
function ticksOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    return { parent, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return { parent: 0, own: 0, ended: 0 }
  }
}
