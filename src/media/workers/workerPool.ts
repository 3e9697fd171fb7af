import type { FileHandle } from 'node:fs/promises'
import { makeFairQueue } from '../fairQueue.ts'
import type { WorkerProgram } from './confinedFork.ts'
import { abandon, closeStaff, makeStaff, wake } from './staff.ts'
import type { Outcome, ProcessLimits } from './workerProcess.ts'
import { WorkersUnavailable } from './workersUnavailable.ts'

export type PoolOptions = ProcessLimits & {
  program: WorkerProgram
  /** How many tasks are done side by side; each has a process of its own, started when first needed. */
  workersMax: number
  /** How many tasks may wait for their turn, and how long one. */
  waitingMax: number
  waitSecondsMax: number
  /** How many tasks a process does before another takes its place. */
  tasksPerWorker: number
  /** A process that holds more than this after a task makes room for a fresh one, since it seldom gives memory back. */
  memoryBytesKept: number
  /** How long a process stays without work. */
  idleSecondsMax: number
  /** A task at work for so long may well take its process with it: another is started to stand ready. None else. */
  suspectMilliseconds?: number
  /** Whether a task whose caller leaves is ended at once, with its process, or done to its end all the same. */
  whenAbandoned: 'end' | 'finish'
  /** A new path for the scratch folder of a worker, on the file system of the files that are lent. */
  scratchPath(): string
}

export type TaskOptions = {
  /** Files that the task names by what they are called here. */
  lend?: Readonly<Record<string, string>>
  /** What the task leaves behind for its caller. */
  take?: string
  /** Ends the wait for an answer. */
  signal?: AbortSignal
  /** Whose task it is, such as a team: owners take turns. */
  owner?: string
}

/** `taken` is there when a task that is `done` was to leave a file behind; its name is gone already. */
export type TaskOutcome<Result> = Outcome<Result> & { taken?: FileHandle }

export type WorkerPool<Task, Result> = {
  /**
   * Does a task in the next free worker; one that is killed from outside is replaced, and the task tried once more. The answer comes
   * within `secondsMax` of the task's turn, whatever the task does.
   * Rejects with {@link WorkersUnavailable}, with the reason of `signal`, and when a file cannot be lent.
   */
  run(task: Task, options?: TaskOptions): Promise<TaskOutcome<Result>>
  /** Ends the workers; what is at work or waiting is rejected as unavailable. */
  close(): Promise<void>
}

/** A task on its way: `begin` is called when its turn has come, then exactly one of the others. */
export type QueuedTask = {
  task: unknown
  options: TaskOptions
  begin(): void
  resolve(outcome: TaskOutcome<unknown>): void
  reject(error: unknown): void
}

/**
 * A pool of confined child processes, each running one program, with a fair queue before it.
 * `Task` and `Result` are what the program takes and gives; both cross as structured clones.
 */
export function makeWorkerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const queue = makeFairQueue<QueuedTask>(options.waitingMax)
  const staff = makeStaff(options, queue)
  let isClosed = false

  async function wait(task: Task, taskOptions: TaskOptions): Promise<TaskOutcome<Result>> {
    const { signal, owner = '' } = taskOptions
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<unknown>>()
    const timer = setTimeout(() => leave(new WorkersUnavailable('late')), options.waitSecondsMax * 1000)
    const queued: QueuedTask = { task, options: taskOptions, begin: () => clearTimeout(timer), resolve, reject }
    function leave(reason: unknown): void {
      queue.remove(owner, queued)
      reject(reason)
    }
    const onAbort = () => void abandon(staff, queued).then(() => leave(signal?.reason))
    if (queue.add(owner, queued)) {
      signal?.addEventListener('abort', onAbort, { once: true })
      wake(staff)
    } else reject(new WorkersUnavailable('full'))
    try {
      return (await promise) as TaskOutcome<Result>
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    async run(task, taskOptions = {}) {
      taskOptions.signal?.throwIfAborted()
      if (isClosed) throw new WorkersUnavailable('closed')
      return await wait(task, taskOptions)
    },
    async close() {
      isClosed = true
      for (let queued = queue.take(); queued !== undefined; queued = queue.take()) queued.reject(new WorkersUnavailable('closed'))
      await closeStaff(staff)
    },
  }
}
