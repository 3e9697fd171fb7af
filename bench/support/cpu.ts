import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processor time of one unit of work, in microseconds. `loadMicros`: of the load generator or the vendor, on the same processors. */
export type Cpu = { serverMicros: number; databaseMicros: number; loadMicros?: number }

/** Adds up the processor time of processes during work; for PostgreSQL all its processes, including ended ones. */
export type CpuMeter = {
  /** Measures `work`, which returns its number of units, and the time of its load generator per unit. */
  during<Result extends { count: number; loadMicros?: number }>(work: () => Promise<Result>): Promise<Result>
  /** Processor time per unit, over all measured work. */
  perUnit(): Cpu
}

/** The unit of processor time in Linux, on every machine. */
const ticksPerSecond = 100

/**
 * `serverPids`: the processes that do the work, without their children. `loadPids`: those that cause or answer it, if the work does not
 * report their time. `clusterFolder`: PostgreSQL's data folder.
 */
type MeterOptions = { serverPids: readonly number[]; loadPids?: readonly number[]; clusterFolder: string }

/** Reads /proc, so works on Linux only. */
export function cpuMeter({ serverPids, loadPids = [], clusterFolder }: MeterOptions): CpuMeter {
  const postmaster = Number.parseInt(readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8'), 10)
  const ticksNow = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + ticksOf(pid).own, 0)
  const now = () => ({ server: ticksNow(serverPids), load: ticksNow(loadPids), database: familyTicks(postmaster) })
  let serverTicks = 0
  let databaseTicks = 0
  let loadMicros = 0
  let units = 0
  return {
    during: async (work) => {
      const before = now()
      const result = await work()
      const after = now()
      serverTicks += after.server - before.server
      databaseTicks += after.database - before.database
      loadMicros += (result.loadMicros ?? 0) * result.count + micros(after.load - before.load)
      units += result.count
      return result
    },
    perUnit: () => ({
      serverMicros: micros(serverTicks) / units,
      databaseMicros: micros(databaseTicks) / units,
      ...(loadMicros > 0 ? { loadMicros: loadMicros / units } : {}),
    }),
  }
}

function micros(ticks: number): number {
  return (ticks / ticksPerSecond) * 1_000_000
}

/** Processor time of the children of a process, in microseconds, ended ones included. */
export function childMicros(parent: number): number {
  return micros(familyTicks(parent) - ticksOf(parent).own)
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
