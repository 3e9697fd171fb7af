import type { FileHandle } from 'node:fs/promises'
import type { WorkerProgram } from './confinedFork.ts'
import type { Outcome, ProcessLimits } from './workerProcess.ts'

export type PoolOptions = ProcessLimits & {
  program: WorkerProgram
  /** Number of concurrent tasks, each in its own process. */
  workersMax: number
  /** Maximum number of waiting tasks, and the maximum wait of one. */
  waitingMax: number
  waitSecondsMax: number
  /** Number of tasks after which a process is replaced. */
  tasksPerWorker: number
  /** A process with more memory after a task is replaced, because it rarely returns memory. */
  recycleAboveBytes: number
  /** Time after which an idle process ends. */
  idleSecondsMax: number
  /** A task that runs longer may end its process, so another process is started in advance. Default: never. */
  spareAfterMilliseconds?: number
  /** What happens to a task whose caller disconnected: `end` kills its process, `finish` lets it run to its end. */
  abandonedTask: 'end' | 'finish'
  /** Returns a new path for the scratch folder of a worker, on the file system of the lent files. */
  scratchPath(): string
}

export type TaskOptions = {
  /** Files to lend, or contents of such files, by their name in the scratch folder. */
  lend?: Readonly<Record<string, string | Uint8Array>>
  /** The name of the file that the task leaves for its caller. */
  take?: string
  /** Ends the wait for an answer. */
  signal?: AbortSignal
  /** The owner of the task, such as a team, for the fair queue. */
  owner?: string
}

/** `taken`: the file that a `done` task left, open and already unlinked. */
export type TaskOutcome<Result> = Outcome<Result> & { taken?: FileHandle }

/** A queued task. `begin` is called when it starts, then either `resolve` or `reject`. */
export type QueuedTask = {
  task: unknown
  options: TaskOptions
  begin(): void
  resolve(outcome: TaskOutcome<unknown>): void
  reject(error: unknown): void
}
