import { Refusal } from '../contract/refusals.ts'
import type { Inspected } from './inspected.ts'
import type { InspectionOrder } from './inspectorChild.ts'
import { type InspectorProcess, startInspectorProcess } from './inspectorProcess.ts'

/** A file on its way. `begin` is called when its turn has come, then exactly one of the others. */
export type InspectionJob = {
  order: InspectionOrder
  begin(): void
  resolve(inspected: Inspected): void
  reject(error: unknown): void
}

export type PoolLimits = { processes: number; secondsMax: number; memoryBytesMax: number; filesPerProcess: number }

export type InspectorPool = {
  /** Looks for work: to be called when jobs were added. */
  wake(): void
  /** Ends every process; what they were at is rejected as unavailable. */
  close(): Promise<void>
}

type Seat = { process: InspectorProcess; state: 'starting' | 'idle' | 'busy'; files: number }

/** A file that has been in work for so long may well take its process with it: the next one finds another ready. */
const suspectMs = 200

/** A process that has grown beyond this after a file is replaced, since it seldom gives memory back. */
const memoryBytesKept = 400 * 1024 * 1024

/**
 * Keeps up to `processes` processes, started when jobs first need them and kept warm after. One that died, looked at
 * `filesPerProcess` files or grew large is replaced at once, so that the next file finds a ready one.
 */
export function makeInspectorPool(limits: PoolLimits, jobs: JobSource): InspectorPool {
  const pool: Pool = { limits, jobs, seats: new Set(), isClosed: false }
  return {
    wake: () => wake(pool),
    async close() {
      pool.isClosed = true
      const open = [...pool.seats]
      for (const seat of open) seat.process.end()
      await Promise.all(open.map((seat) => seat.process.ended))
    },
  }
}

type JobSource = { readonly length: number; take(): InspectionJob | undefined }
type Pool = { limits: PoolLimits; jobs: JobSource; seats: Set<Seat>; isClosed: boolean }

function wake(pool: Pool): void {
  if (pool.isClosed) return
  for (const seat of pool.seats) {
    const job = seat.state === 'idle' ? pool.jobs.take() : undefined
    if (job !== undefined) void work(pool, seat, job)
  }
  const starting = [...pool.seats].filter((seat) => seat.state === 'starting').length
  const wanted = Math.min(pool.jobs.length - starting, pool.limits.processes - pool.seats.size)
  for (let count = 0; count < wanted; count += 1) addSeat(pool)
}

function addSeat(pool: Pool): void {
  const process = startInspectorProcess({ seconds: pool.limits.secondsMax, memoryBytesMax: pool.limits.memoryBytesMax })
  const seat: Seat = { process, state: 'starting', files: 0 }
  pool.seats.add(seat)
  void process.ended.then(() => pool.seats.delete(seat))
  process.ready.then(
    () => {
      seat.state = 'idle'
      wake(pool)
    },
    () => {
      pool.seats.delete(seat)
      // Each failed start costs one job, so that a machine without room for processes says so instead of trying for ever.
      pool.jobs.take()?.reject(unavailable())
      wake(pool)
    },
  )
}

async function work(pool: Pool, seat: Seat, job: InspectionJob): Promise<void> {
  seat.state = 'busy'
  seat.files += 1
  job.begin()
  const spare = setTimeout(() => {
    if (!pool.isClosed && pool.seats.size < pool.limits.processes) addSeat(pool)
  }, suspectMs)
  try {
    const inspected = await seat.process.run(job.order)
    if (pool.isClosed) job.reject(unavailable())
    else job.resolve(inspected)
  } catch (error) {
    job.reject(error)
  }
  clearTimeout(spare)
  rest(pool, seat)
  wake(pool)
}

function rest(pool: Pool, seat: Seat): void {
  const isDead = !seat.process.isAlive()
  const isWorn = seat.files >= pool.limits.filesPerProcess || seat.process.memoryBytes() > memoryBytesKept
  seat.state = 'idle'
  if (pool.isClosed || !(isDead || isWorn)) return
  pool.seats.delete(seat)
  seat.process.end()
  addSeat(pool)
}

export function unavailable(): Refusal {
  return new Refusal('service_unavailable', { retryAfterSeconds: 5 })
}
