import type { FairQueue } from '../fairQueue.ts'
import type { PoolOptions, QueuedTask, TaskOutcome } from './pooledTask.ts'
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts'
import { WorkersUnavailable } from './workersUnavailable.ts'

/** The workers of a pool: started when tasks first need them, kept warm for a while, replaced when dead or worn. */
export type Staff = {
  options: PoolOptions
  queue: FairQueue<QueuedTask>
  workers: Set<Worker>
  /** Those that are being ended. */
  leaving: Set<Promise<void>>
  /** Tasks whose worker was killed once. */
  triedAgain: WeakSet<QueuedTask>
  isClosed: boolean
}

type Worker = { process: Promise<WorkerProcess>; at: QueuedTask | undefined; isReady: boolean; tasks: number; idle?: NodeJS.Timeout }

export function makeStaff(options: PoolOptions, queue: FairQueue<QueuedTask>): Staff {
  return { options, queue, workers: new Set(), leaving: new Set(), triedAgain: new WeakSet(), isClosed: false }
}

/** Looks for work: to be called when tasks were added. */
export function wake(staff: Staff): void {
  const { options, queue, workers } = staff
  if (staff.isClosed) return
  for (const worker of workers) {
    const task = worker.isReady && worker.at === undefined ? queue.take() : undefined
    if (task !== undefined) void employ(staff, worker, task)
  }
  const starting = [...workers].filter((worker) => !worker.isReady).length
  const wanted = Math.min(queue.length - starting, options.workersMax - workers.size)
  for (let count = 0; count < wanted; count += 1) hire(staff)
}

/** Says that nobody waits for a task any more; resolves when what is to be ended because of that has ended. */
export async function abandon(staff: Staff, task: QueuedTask): Promise<void> {
  const worker = staff.options.whenAbandoned === 'end' ? [...staff.workers].find(({ at }) => at === task) : undefined
  if (worker) await dismiss(staff, worker)
}

/** Ends every worker; what they were at is rejected as unavailable. */
export async function closeStaff(staff: Staff): Promise<void> {
  staff.isClosed = true
  for (const worker of staff.workers) void dismiss(staff, worker)
  await Promise.all(staff.leaving)
}

function hire(staff: Staff): void {
  const { options, queue, workers } = staff
  const process = startWorkerProcess(options.program, { limits: options, scratchPath: options.scratchPath() })
  const worker: Worker = { process, at: undefined, isReady: false, tasks: 0 }
  workers.add(worker)
  process.then(
    (started) => {
      worker.isReady = true
      void started.ended.then(() => (worker.at === undefined ? dismiss(staff, worker) : undefined))
      rest(staff, worker)
      wake(staff)
    },
    () => {
      workers.delete(worker)
      // Each failed start costs one task, so that a machine without room for processes says so instead of trying for ever.
      queue.take()?.reject(new WorkersUnavailable('not_started'))
      wake(staff)
    },
  )
}

function rest(staff: Staff, worker: Worker): void {
  worker.idle = setTimeout(() => void dismiss(staff, worker), staff.options.idleSecondsMax * 1000).unref()
}

/** Ends a worker and forgets it; resolves when it is gone. */
function dismiss({ workers, leaving }: Staff, worker: Worker): Promise<void> {
  workers.delete(worker)
  clearTimeout(worker.idle)
  const gone = worker.process.then((process) => process.end()).catch(() => undefined)
  leaving.add(gone)
  void gone.then(() => leaving.delete(gone))
  return gone
}

async function employ(staff: Staff, worker: Worker, queued: QueuedTask): Promise<void> {
  const { options, workers } = staff
  worker.at = queued
  worker.tasks += 1
  clearTimeout(worker.idle)
  queued.begin()
  const spare = options.suspectMilliseconds === undefined ? undefined : setTimeout(addSpare, options.suspectMilliseconds, staff)
  const process = await worker.process
  const settle = await perform(process, queued).then(
    (outcome) => () => answer(staff, queued, outcome),
    (error: unknown) => async () => queued.reject(error),
  )
  clearTimeout(spare)
  // Nothing of the task is left when its caller hears of it.
  const isFit = workers.has(worker) && isKept(options, worker, process) && (await isCleared(process))
  if (!isFit) await dismiss(staff, worker)
  worker.at = undefined
  await settle()
  if (isFit) rest(staff, worker)
  else if (options.suspectMilliseconds !== undefined) addSpare(staff)
  wake(staff)
}

/** Where waiting counts, a worker stands ready in the place of one that is gone, or may soon be. */
function addSpare(staff: Staff): void {
  if (!staff.isClosed && staff.workers.size < staff.options.workersMax) hire(staff)
}

async function perform(process: WorkerProcess, { task, options }: QueuedTask): Promise<TaskOutcome<unknown>> {
  for (const [name, file] of Object.entries(options.lend ?? {})) {
    await process.scratch.lend(name, file).catch((cause: unknown) => {
      throw new Error('the file could not be read', { cause })
    })
  }
  const outcome = await process.run(task)
  if (outcome.kind !== 'done' || options.take === undefined) return outcome
  try {
    const taken = await process.scratch.take(options.take)
    return taken ? { ...outcome, taken } : outcome
  } catch (error) {
    return { kind: 'failed', message: `what the worker left cannot be taken: ${String(error)}`, usage: outcome.usage }
  }
}

function isKept({ tasksPerWorker, memoryBytesKept }: PoolOptions, worker: Worker, process: WorkerProcess): boolean {
  return process.isAlive() && worker.tasks < tasksPerWorker && process.rssBytes() <= memoryBytesKept
}

function isCleared({ scratch }: WorkerProcess): Promise<boolean> {
  return scratch.clear().then(
    () => true,
    () => false,
  )
}

async function answer(staff: Staff, queued: QueuedTask, outcome: TaskOutcome<unknown>): Promise<void> {
  const { signal, owner = '' } = queued.options
  if (staff.isClosed || signal?.aborted) {
    await outcome.taken?.close()
    queued.reject(staff.isClosed ? new WorkersUnavailable('closed') : signal?.reason)
  } else if (outcome.kind === 'killed' && !staff.triedAgain.has(queued) && staff.queue.add(owner, queued)) staff.triedAgain.add(queued)
  else queued.resolve(outcome)
}
