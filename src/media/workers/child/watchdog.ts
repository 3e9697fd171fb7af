import { parentPort, workerData } from 'node:worker_threads'
import { watchdogSignals } from '../messages.ts'

export type WatchdogOrder = { memoryBytesMax: number; deadline: BigInt64Array<SharedArrayBuffer> }

const { memoryBytesMax, deadline } = workerData as WatchdogOrder
const lookEveryMs = 20

// A thread of its own goes on looking while the process is deep in a native decoder or an endless loop, also after the process that
// started it is gone.
look()
setInterval(look, lookEveryMs)
parentPort?.postMessage('watching')

function look(): void {
  const due = Atomics.load(deadline, 0)
  if (process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, watchdogSignals.outOfMemory)
  if (due !== 0n && process.hrtime.bigint() > due) process.kill(process.pid, watchdogSignals.timedOut)
}
