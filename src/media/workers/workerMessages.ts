/** The interface of a module that a worker runs. A worker runs one task at a time, in its scratch folder. */
export type WorkerModule = {
  /** Rejects for faults of the program or the machine. A failure of the work is a result. */
  work(task: unknown): Promise<unknown>
}

/** Parent to child. */
export type WorkerRequest = { task: unknown }

/** Resources of a task: CPU time, memory after it, and the peak memory of the process. */
export type WorkerUsage = { cpuMs: number; rssBytes: number; peakRssBytes: number }

/** Child to parent: `ready` once, then one reply per task. */
export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'done'; result: unknown; usage: WorkerUsage }
  | { kind: 'failed'; message: string; usage: WorkerUsage }

/** Start options of a child. The last three are for its watchdog and its account. */
export type WorkerStartOptions = {
  module: string
  memoryBytesMax: number
  /** A longer task makes the child kill itself. */
  secondsMax: number
  /** The account to switch to, when the command did not switch it. */
  account: Account | null
}

export type Account = { uid: number; gid: number }

/** Signals with which a watchdog ends its own process. Neither writes a core dump. */
export const watchdogSignals = { timedOut: 'SIGALRM', outOfMemory: 'SIGUSR2' } as const
