import { Worker } from 'node:worker_threads'
import {
  type WorkerModule,
  type WorkerReply,
  type WorkerRequest,
  type WorkerStartOptions,
  type WorkerUsage,
  watchdogSignals,
} from '../workerMessages.ts'

/**
 * The program of every worker: switches its account, starts its watchdog, removes the network, and only then loads the module with the
 * work.
 */
const { module, memoryBytesMax, secondsMax, account } = JSON.parse(process.argv[2] ?? '') as WorkerStartOptions

if (account !== null) {
  process.setgroups?.([account.gid])
  process.setgid?.(account.gid)
  process.setuid?.(account.uid)
}

// Ctrl-C and a stop of the service reach the whole process group. The parent decides when this process ends, by closing the channel or by
// a kill. Running work must not fail because of the signal.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const deadline = new BigInt64Array(new SharedArrayBuffer(8))
await startWatchdog()
await import('./denyNetwork.ts')
const { work } = (await import(module)) as WorkerModule

process.on('message', ({ task }: WorkerRequest) => {
  Atomics.store(deadline, 0, process.hrtime.bigint() + BigInt(Math.round(secondsMax * 1e9)))
  void answer(task).then((answered) => {
    Atomics.store(deadline, 0, 0n)
    reply(answered)
  })
})
reply({ kind: 'ready' })

async function answer(task: unknown): Promise<WorkerReply> {
  const before = process.cpuUsage()
  try {
    const result = await work(task)
    return { kind: 'done', result, usage: usageSince(before) }
  } catch (error) {
    return {
      kind: 'failed',
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      usage: usageSince(before),
    }
  }
}

function usageSince(before: NodeJS.CpuUsage): WorkerUsage {
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss(), peakRssBytes: process.resourceUsage().maxRSS * 1024 }
}

function reply(message: WorkerReply): void {
  process.send?.(message)
}

type WatchdogData = { memoryBytesMax: number; deadline: BigInt64Array<SharedArrayBuffer>; signals: typeof watchdogSignals }

/**
 * The program of the watchdog thread. It checks the limits while the process is busy in a native decoder or an endless loop, also after
 * its parent is gone. It cannot use anything of this module, because it is passed as text.
 */
function watch({ memoryBytesMax, deadline, signals }: WatchdogData): void {
  const checkLimits = () => {
    const due = Atomics.load(deadline, 0)
    if (process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, signals.outOfMemory)
    if (due !== 0n && process.hrtime.bigint() > due) process.kill(process.pid, signals.timedOut)
  }
  checkLimits()
  setInterval(checkLimits, 20)
}

/** Passed as text: loading a TypeScript file would cost the thread 25 MB for type stripping. */
async function startWatchdog(): Promise<void> {
  const program = `import { parentPort, workerData } from 'node:worker_threads'; (${watch.toString()})(workerData); parentPort.postMessage('watching')`
  const workerData: WatchdogData = { memoryBytesMax, deadline, signals: watchdogSignals }
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 }
  const watching = Promise.withResolvers<void>()
  const watchdog = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), { workerData, env: {}, resourceLimits })
  watchdog.once('message', () => watching.resolve())
  watchdog.once('error', (error) => watching.reject(error))
  await watching.promise
}
