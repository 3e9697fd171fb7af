import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { confinedFork, type WorkerProgram } from './confinedFork.ts'
import { detectIsolation } from './detectIsolation.ts'
import { makeScratchFolder, type ScratchFolder } from './scratchFolder.ts'
import { type WorkerReply, type WorkerUsage, watchdogSignals } from './workerMessages.ts'

/**
 * The end of a task. After `done` and `failed` the process can run more tasks. After the others it is gone: it took too long, used too
 * much memory, was `killed` from outside without a fault of the task, or `crashed` because of the task.
 */
export type Outcome<Result> =
  | { kind: 'done'; result: Result; usage: WorkerUsage }
  | { kind: 'failed'; message: string; usage: WorkerUsage }
  | { kind: 'timed_out' | 'out_of_memory' | 'killed' | 'crashed'; message: string }

export type ProcessLimits = { secondsMax: number; memoryBytesMax: number }

export type WorkerProcess = {
  scratch: ScratchFolder
  /** Resolves when the process is gone, for any reason. */
  ended: Promise<unknown>
  isRunning(): boolean
  /** Resident memory after the latest task. */
  rssBytes(): number
  /** Runs one task. Only one task may run at a time. */
  run(task: unknown): Promise<Outcome<unknown>>
  /** Kills the process, waits for its exit, and deletes its folder. */
  end(): Promise<void>
}

const startSeconds = 20
/** The internal watchdog fires later than the parent. It matters only when the parent is gone. */
const watchdogSlackSeconds = 2

/** Starts a worker with its folder at `scratchPath`, and waits until it is ready. Rejects when it does not start. */
export async function startWorkerProcess(
  program: WorkerProgram,
  { limits, scratchPath }: { limits: ProcessLimits; scratchPath: string },
): Promise<WorkerProcess> {
  const isolation = await detectIsolation()
  const scratch = await makeScratchFolder(scratchPath, { account: isolation.account, mayWrite: program.mayWrite })
  const env = (await program.prepareScratch?.(scratch.path)) ?? {}
  const bounds = { memoryBytesMax: limits.memoryBytesMax, secondsMax: limits.secondsMax + watchdogSlackSeconds }
  const child = confinedFork({ program, isolation, scratch: scratch.path, env, limits: bounds })
  const gone = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  const end = async () => {
    await kill(child)
    await scratch.remove()
  }
  if (!(await isReadyInTime(child))) {
    await end()
    throw new Error('the worker did not start')
  }
  let rssBytes = 0
  return {
    scratch,
    ended: gone,
    isRunning: () => isRunning(child),
    rssBytes: () => rssBytes,
    end,
    async run(task) {
      const outcome = await run(child, task, limits.secondsMax)
      if ('usage' in outcome) rssBytes = outcome.usage.rssBytes
      return outcome
    },
  }
}

async function isReadyInTime(child: ChildProcess): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), startSeconds * 1000)
  const settled = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: settled.signal }).then(() => true),
      once(child, 'exit', { signal: settled.signal }).then(() => false),
    ])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    settled.abort()
  }
}

async function run(child: ChildProcess, task: unknown, secondsMax: number): Promise<Outcome<unknown>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>()
  let isTooSlow = false
  const timer = setTimeout(() => {
    isTooSlow = true
    child.kill('SIGKILL')
  }, secondsMax * 1000)
  const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
    const message = `the worker ended with ${signal ?? code}`
    resolve({ kind: isTooSlow ? 'timed_out' : exitKind(code, signal), message })
  }
  const onMessage = (reply: WorkerReply) => {
    if (reply.kind !== 'ready') resolve(reply)
  }
  child.once('exit', onExit).once('message', onMessage)
  // Keeps this process alive until the answer, also when the child is killed meanwhile.
  child.ref()
  try {
    // An exited process takes no task. Its exit is the answer.
    child.send({ task }, () => undefined)
    if (hasExited(child)) onExit(child.exitCode, child.signalCode)
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit).off('message', onMessage)
    child.unref()
  }
}

/** Node aborts when its heap is full, and native libraries abort when an allocation fails. */
function exitKind(code: number | null, signal: NodeJS.Signals | null): 'timed_out' | 'out_of_memory' | 'killed' | 'crashed' {
  if (signal === watchdogSignals.timedOut) return 'timed_out'
  if (signal === watchdogSignals.outOfMemory || signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134) return 'out_of_memory'
  return signal === 'SIGKILL' ? 'killed' : 'crashed'
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function isRunning(child: ChildProcess): boolean {
  return !hasExited(child) && child.connected
}

async function kill(child: ChildProcess): Promise<void> {
  if (hasExited(child) || child.pid === undefined) return
  const gone = once(child, 'exit')
  child.ref()
  child.kill('SIGKILL')
  await gone
}
