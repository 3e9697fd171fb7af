/** What a module exports to be run by a worker. A worker does one task at a time, in its scratch folder. */
export type WorkerModule = {
  /** Rejecting is a fault of the program or of the machine; what is said of the work itself is a result. */
  work(task: unknown): Promise<unknown>
}

/** Parent to child. */
export type WorkerRequest = { task: unknown }

/** What a task took: the process's own CPU time, the memory it holds after it, and the most that it ever held. */
export type WorkerUsage = { cpuMs: number; rssBytes: number; peakRssBytes: number }

/** Child to parent: `ready` once, then one answer per order. */
export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'done'; result: unknown; usage: WorkerUsage }
  | { kind: 'failed'; message: string; usage: WorkerUsage }

/** How a child was told to run; the last three are for its watchdog and its account. */
export type WorkerStartOptions = {
  module: string
  memoryBytesMax: number
  /** How long a task may take before the child ends itself. */
  secondsMax: number
  /** The account to take on when nothing did so before. */
  account: Account | null
}

export type Account = { uid: number; gid: number }

/** Told by the signals with which a watchdog ends its own process; neither leaves a dump of its memory behind. */
export const watchdogSignals = { timedOut: 'SIGALRM', outOfMemory: 'SIGUSR2' } as const
