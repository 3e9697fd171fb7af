import { makeFairQueue } from '../fairQueue.ts'
import type { PoolOptions, QueuedTask, TaskOptions, TaskOutcome } from './pooledTask.ts'
import { cancelAbandoned, closeWorkerSupervisor, dispatchTasks, makeWorkerSupervisor } from './workerSupervisor.ts'
import { WorkersUnavailable } from './workersUnavailable.ts'

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

/**
 * A pool of confined child processes, each running one program, with a fair queue before it.
 * `Task` and `Result` are what the program takes and gives; both cross as structured clones.
 */
export function makeWorkerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const queue = makeFairQueue<QueuedTask>(options.waitingMax)
  const supervisor = makeWorkerSupervisor(options, queue)
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
    const onAbort = () => void cancelAbandoned(supervisor, queued).then(() => leave(signal?.reason))
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
