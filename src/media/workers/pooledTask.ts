import type { FileHandle } from 'node:fs/promises'
import type { WorkerProgram } from './confinedFork.ts'
import type { Outcome, ProcessLimits } from './workerProcess.ts'

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
  recycleAboveBytes: number
  /** How long a process stays without work. */
  idleSecondsMax: number
  /** A task at work for so long may well take its process with it: another is started to stand ready. None else. */
  spareAfterMilliseconds?: number
  /** Whether a task whose caller leaves is ended at once, with its process, or done to its end all the same. */
  abandonedTask: 'end' | 'finish'
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

/** A task on its way: `begin` is called when its turn has come, then exactly one of the others. */
export type QueuedTask = {
  task: unknown
  options: TaskOptions
  begin(): void
  resolve(outcome: TaskOutcome<unknown>): void
  reject(error: unknown): void
}
