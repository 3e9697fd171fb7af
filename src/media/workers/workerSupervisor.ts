import type { FairQueue } from '../fairQueue.ts'
import type { PoolOptions, QueuedTask, TaskOutcome } from './pooledTask.ts'
import { startWorkerProcess, type WorkerProcess } from './workerProcess.ts'
import { WorkersUnavailable } from './workersUnavailable.ts'

/** The workers of a pool. They start on demand, stay for a while when idle, and are replaced when they exit or reach their limits. */
export type WorkerSupervisor = {
  options: PoolOptions
  queue: FairQueue<QueuedTask>
  workers: Set<Worker>
  /** Workers that are being ended. */
  retiring: Set<Promise<void>>
  /** Tasks whose worker was killed once. */
  retried: WeakSet<QueuedTask>
  isClosed: boolean
}

type Worker = { process: Promise<WorkerProcess>; at: QueuedTask | undefined; isReady: boolean; tasks: number; idle?: NodeJS.Timeout }

export function makeWorkerSupervisor(options: PoolOptions, queue: FairQueue<QueuedTask>): WorkerSupervisor {
  return { options, queue, workers: new Set(), retiring: new Set(), retried: new WeakSet(), isClosed: false }
}

/** Assigns queued tasks to free workers and spawns workers for the rest. Call it after adding tasks. */
export function dispatchTasks(supervisor: WorkerSupervisor): void {
  const { options, queue, workers } = supervisor
  if (supervisor.isClosed) return
  for (const worker of workers) {
    const task = worker.isReady && worker.at === undefined ? queue.take() : undefined
    if (task !== undefined) void assignTask(supervisor, worker, task)
  }
  const starting = [...workers].filter((worker) => !worker.isReady).length
  const spawnCount = Math.min(queue.length - starting, options.workersMax - workers.size)
  for (let count = 0; count < spawnCount; count += 1) spawnWorker(supervisor)
}

/** Ends the worker of a task whose caller disconnected, when the pool is configured so. */
export async function cancelAbandoned(supervisor: WorkerSupervisor, task: QueuedTask): Promise<void> {
  const worker = supervisor.options.abandonedTask === 'end' ? [...supervisor.workers].find(({ at }) => at === task) : undefined
  if (worker) await retireWorker(supervisor, worker)
}

/** Ends all workers. Their tasks are rejected as unavailable. */
export async function closeWorkerSupervisor(supervisor: WorkerSupervisor): Promise<void> {
  supervisor.isClosed = true
  for (const worker of supervisor.workers) void retireWorker(supervisor, worker)
  await Promise.all(supervisor.retiring)
}

function spawnWorker(supervisor: WorkerSupervisor): void {
  const { options, queue, workers } = supervisor
  const process = startWorkerProcess(options.program, { limits: options, scratchPath: options.scratchPath() })
  const worker: Worker = { process, at: undefined, isReady: false, tasks: 0 }
  workers.add(worker)
  process.then(
    (started) => {
      worker.isReady = true
      void started.ended.then(() => (worker.at === undefined ? retireWorker(supervisor, worker) : undefined))
      startIdleTimer(supervisor, worker)
      dispatchTasks(supervisor)
    },
    () => {
      workers.delete(worker)
      // Each failed start rejects one task, so that a machine that cannot start processes fails instead of retrying forever.
      queue.take()?.reject(new WorkersUnavailable('not_started'))
      dispatchTasks(supervisor)
    },
  )
}

function startIdleTimer(supervisor: WorkerSupervisor, worker: Worker): void {
  worker.idle = setTimeout(() => void retireWorker(supervisor, worker), supervisor.options.idleSecondsMax * 1000).unref()
}

/** Ends and removes a worker. Resolves when its process is gone. */
function retireWorker({ workers, retiring }: WorkerSupervisor, worker: Worker): Promise<void> {
  workers.delete(worker)
  clearTimeout(worker.idle)
  const gone = worker.process.then((process) => process.end()).catch(() => undefined)
  retiring.add(gone)
  void gone.then(() => retiring.delete(gone))
  return gone
}

async function assignTask(supervisor: WorkerSupervisor, worker: Worker, queued: QueuedTask): Promise<void> {
  const { options, workers } = supervisor
  worker.at = queued
  worker.tasks += 1
  clearTimeout(worker.idle)
  queued.begin()
  const spare =
    options.spareAfterMilliseconds === undefined ? undefined : setTimeout(spawnSpare, options.spareAfterMilliseconds, supervisor)
  const process = await worker.process
  const settle = await runTask(process, queued).then(
    (outcome) => () => answer(supervisor, queued, outcome),
    (error: unknown) => async () => queued.reject(error),
  )
  clearTimeout(spare)
  // All traces of the task are deleted before its caller gets the answer.
  const isFit = workers.has(worker) && isReusable(options, worker, process) && (await clearScratch(process))
  if (!isFit) await retireWorker(supervisor, worker)
  worker.at = undefined
  await settle()
  if (isFit) startIdleTimer(supervisor, worker)
  else if (options.spareAfterMilliseconds !== undefined) spawnSpare(supervisor)
  dispatchTasks(supervisor)
}

/** Keeps a spare worker ready when the current one is gone or may end soon. */
function spawnSpare(supervisor: WorkerSupervisor): void {
  if (!supervisor.isClosed && supervisor.workers.size < supervisor.options.workersMax) spawnWorker(supervisor)
}

async function runTask(process: WorkerProcess, { task, options }: QueuedTask): Promise<TaskOutcome<unknown>> {
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
    return { kind: 'failed', message: `cannot take the file that the worker left: ${String(error)}`, usage: outcome.usage }
  }
}

function isReusable({ tasksPerWorker, recycleAboveBytes }: PoolOptions, worker: Worker, process: WorkerProcess): boolean {
  return process.isRunning() && worker.tasks < tasksPerWorker && process.rssBytes() <= recycleAboveBytes
}

function clearScratch({ scratch }: WorkerProcess): Promise<boolean> {
  return scratch.clear().then(
    () => true,
    () => false,
  )
}

async function answer(supervisor: WorkerSupervisor, queued: QueuedTask, outcome: TaskOutcome<unknown>): Promise<void> {
  const { signal, owner = '' } = queued.options
  if (supervisor.isClosed || signal?.aborted) {
    await outcome.taken?.close()
    queued.reject(supervisor.isClosed ? new WorkersUnavailable('closed') : signal?.reason)
  } else if (outcome.kind === 'killed' && !supervisor.retried.has(queued) && supervisor.queue.add(owner, queued))
    supervisor.retried.add(queued)
  else queued.resolve(outcome)
}
