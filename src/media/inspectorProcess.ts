import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Inspected } from './inspected.ts'
import type { ProcessingCause } from './inspection/unprocessable.ts'
import type { InspectionOrder, InspectionReply } from './inspectorChild.ts'

export type InspectorProcess = {
  /** Resolves when the process takes orders; rejects when it could not be started. */
  ready: Promise<void>
  /** Resolves when the process is gone, for whatever reason. */
  ended: Promise<void>
  isAlive(): boolean
  /**
   * Looks at one file; one at a time. A process that dies over it, or is ended because it takes too long, is the file's fault and
   * an answer. Rejects when the file could not be read.
   */
  run(order: InspectionOrder): Promise<Inspected>
  /** The resident memory that the process reported after its latest file. */
  memoryBytes(): number
  end(): void
}

const startSeconds = 20

/** Starts a process that reads hostile files, one after another, for at most `seconds` each. */
export function startInspectorProcess(limits: { seconds: number; memoryBytesMax: number }): InspectorProcess {
  const child = forkChild(limits)
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const startTimer = setTimeout(() => child.kill('SIGKILL'), startSeconds * 1000)
  let memoryBytes = 0
  let work: PromiseWithResolvers<Inspected> | undefined
  let isTooSlow = false
  let isAlive = true

  function onEnd(signal: NodeJS.Signals | null, code: number | null): void {
    isAlive = false
    clearTimeout(startTimer)
    ready.reject(new Error('the process that inspects files could not be started'))
    work?.resolve({ ok: false, refusal: 'file_processing_failed', cause: isTooSlow ? 'timed_out' : causeOfDeath(signal, code) })
    ended.resolve()
  }
  child.once('exit', (code, signal) => onEnd(signal, code))
  child.on('error', () => (child.pid === undefined ? onEnd(null, null) : child.kill('SIGKILL')))
  child.on('message', (reply: InspectionReply) => {
    if (reply.kind === 'ready') {
      clearTimeout(startTimer)
      ready.resolve()
    } else if (reply.kind === 'inspected') {
      memoryBytes = reply.memoryBytes
      work?.resolve(reply.inspected)
    } else work?.reject(new Error(`the file could not be read: ${reply.message}`))
  })

  return {
    ready: ready.promise,
    ended: ended.promise,
    isAlive: () => isAlive,
    memoryBytes: () => memoryBytes,
    end() {
      child.ref()
      child.kill('SIGKILL')
    },
    async run(order) {
      work = Promise.withResolvers<Inspected>()
      const timer = setTimeout(() => {
        isTooSlow = true
        child.kill('SIGKILL')
      }, limits.seconds * 1000)
      // Whoever waits for the answer is kept alive until it comes, also from a process that is ended meanwhile.
      child.ref()
      try {
        // A process that is gone already takes no order; its end is the answer then.
        child.send(order, () => undefined)
        if (child.exitCode !== null || child.signalCode !== null) onEnd(child.signalCode, child.exitCode)
        return await work.promise
      } finally {
        clearTimeout(timer)
        child.unref()
        work = undefined
      }
    },
  }
}

const childPath = fileURLToPath(new URL('./inspectorChild.ts', import.meta.url))
const heapMegabytes = 256
/** The watchdog inside comes second, for the case that nobody is left to end the process from outside. */
const watchdogSlackSeconds = 2

// With a small heap, nothing of this process's environment, no right to write files or to start programs, and no part in keeping
// this process alive.
function forkChild(limits: { seconds: number; memoryBytesMax: number }): ChildProcess {
  const child = fork(childPath, [String(limits.memoryBytesMax), String(limits.seconds + watchdogSlackSeconds)], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, '--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'],
    env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** The runtime aborts when its heap is full; the watchdog, and the system when it runs out of memory, end a process by force. */
function causeOfDeath(signal: NodeJS.Signals | null, code: number | null): ProcessingCause {
  const isMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134
  return isMemory ? 'out_of_memory' : 'crashed'
}
