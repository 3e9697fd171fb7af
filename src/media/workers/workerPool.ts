import { makeFairQueue } from '../fairQueue.ts'
import type { PoolOptions, QueuedTask, TaskOptions, TaskOutcome } from './pooledTask.ts'
import { cancelAbandoned, closeWorkerSupervisor, dispatchTasks, makeWorkerSupervisor } from './workerSupervisor.ts'
import { WorkersUnavailable } from './workersUnavailable.ts'

export type WorkerPool<Task, Result> = {
  /**
   * Runs a task in the next free worker. When the worker is killed from outside, the task runs once more in another one. Takes at most
   * `secondsMax` after its start.
   * Rejects with {@link WorkersUnavailable}, with the reason of `signal`, and when a file cannot be lent.
   */
  run(task: Task, options?: TaskOptions): Promise<TaskOutcome<Result>>
  /** Ends the workers. Running and waiting tasks are rejected as unavailable. */
  close(): Promise<void>
}

/** A pool of confined child processes that run one program, with a fair queue. `Task` and `Result` are passed as structured clones. */
export function makeWorkerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const queue = makeFairQueue<QueuedTask>(options.waitingMax)
  const supervisor = makeWorkerSupervisor(options, queue)
  let isClosed = false

  async function wait(task: Task, taskOptions: TaskOptions): Promise<TaskOutcome<Result>> {
    const { signal, owner = '' } = taskOptions
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<unknown>>()
    const timer = setTimeout(() => rejectQueued(new WorkersUnavailable('late')), options.waitSecondsMax * 1000)
    const queued: QueuedTask = { task, options: taskOptions, begin: () => clearTimeout(timer), resolve, reject }
    function rejectQueued(reason: unknown): void {
      queue.remove(owner, queued)
      reject(reason)
    }
    const onAbort = () => void cancelAbandoned(supervisor, queued).then(() => rejectQueued(signal?.reason))
    if (queue.add(owner, queued)) {
      signal?.addEventListener('abort', onAbort, { once: true })
      dispatchTasks(supervisor)
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
      await closeWorkerSupervisor(supervisor)
    },
  }
}
