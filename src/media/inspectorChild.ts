import { Worker } from 'node:worker_threads'
import type { Inspected } from './inspected.ts'
import { inspectContent } from './inspection/inspectContent.ts'

/** One file to look at; sent to the process. */
export type InspectionOrder = { path: string; declaredMimeType?: string }

/** Sent back: `ready` once, then one answer per order. `unreadable` means that the file could not be opened or read. */
export type InspectionReply =
  | { kind: 'ready' }
  | { kind: 'inspected'; inspected: Inspected; memoryBytes: number }
  | { kind: 'unreadable'; message: string }

export type WatchdogOrder = { memoryBytesMax: number; deadline: BigInt64Array<SharedArrayBuffer> }

const [memoryBytesMax = 0, secondsMax = 0] = process.argv.slice(2).map(Number)
const deadline = new BigInt64Array(new SharedArrayBuffer(8))
const watchdog = new Worker(new URL('./inspectorWatchdog.ts', import.meta.url), { workerData: { memoryBytesMax, deadline } })

// A stop of the service reaches the whole group of processes. The one that started this one decides when it ends, by closing the
// channel or by force; a file in work must not count as broken because of it.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', (order: InspectionOrder) => {
  Atomics.store(deadline, 0, process.hrtime.bigint() + BigInt(Math.round(secondsMax * 1e9)))
  void answer(order).then((reply) => {
    Atomics.store(deadline, 0, 0n)
    process.send?.(reply)
  })
})

watchdog.once('message', () => process.send?.({ kind: 'ready' } satisfies InspectionReply))

async function answer(order: InspectionOrder): Promise<InspectionReply> {
  try {
    const inspected = await inspectContent(order.path, order.declaredMimeType)
    return { kind: 'inspected', inspected, memoryBytes: process.memoryUsage.rss() }
  } catch (error) {
    return { kind: 'unreadable', message: error instanceof Error ? error.message : String(error) }
  }
}
