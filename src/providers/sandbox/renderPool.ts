import type { RenderRequest } from './renderOrder.ts'
import { type RenderLimits, type RenderOutcome, type RenderProcess, startRenderProcess } from './renderProcess.ts'

export type RenderPool = {
  /**
   * Renders in the next free process; one that is killed from outside is replaced, and the order tried once more.
   * Rejects with the reason of `signal`, and after `close`.
   */
  render(work: Omit<RenderRequest, 'id'>, signal: AbortSignal): Promise<RenderOutcome>
  close(): Promise<void>
}

type Slot = { process: RenderProcess | undefined; busy: boolean; renders: number }
type Waiter = { take(slot: Slot): void; refuse(reason: Error): void }

/** A process that has rendered this often, or has held half of the allowed memory, makes room for a fresh one. */
const rendersPerProcess = 200

/** A pool of at most `processes` render processes, each started when first needed and kept warm. `folder` takes their small files. */
export function makeRenderPool(options: RenderLimits & { processes: number; folder: string }): RenderPool {
  const slots: Slot[] = Array.from({ length: options.processes }, () => ({ process: undefined, busy: false, renders: 0 }))
  const waiters: Waiter[] = []
  let closed = false
  let lastId = 0

  async function attempt(slot: Slot, work: Omit<RenderRequest, 'id'>, signal: AbortSignal): Promise<RenderOutcome> {
    if (closed) throw poolClosed()
    if (!slot.process?.isAlive()) {
      slot.renders = 0
      slot.process = await startRenderProcess(options, options.folder).catch(() => undefined)
    }
    if (closed) await slot.process?.end()
    signal.throwIfAborted()
    if (!slot.process) return { kind: 'killed', message: 'the render process did not start' }
    lastId += 1
    slot.renders += 1
    const outcome = await slot.process.render({ ...work, id: lastId }, signal)
    if (isWornOut(slot, outcome, options)) await slot.process.end()
    return outcome
  }

  return {
    async render(work, signal) {
      signal.throwIfAborted()
      if (closed) throw poolClosed()
      const slot = takeFree(slots) ?? (await nextFree(waiters, signal))
      try {
        const first = await attempt(slot, work, signal)
        return first.kind === 'killed' ? await attempt(slot, work, signal) : first
      } finally {
        release(slot, waiters)
      }
    },
    async close() {
      closed = true
      for (const waiter of waiters.splice(0)) waiter.refuse(poolClosed())
      await Promise.all(slots.map(async (slot) => slot.process?.end()))
    },
  }
}

function isWornOut(slot: Slot, outcome: RenderOutcome, { memoryBytesMax }: RenderLimits): boolean {
  return slot.renders >= rendersPerProcess || (outcome.kind === 'rendered' && outcome.usage.peakRssBytes > memoryBytesMax / 2)
}

function poolClosed(): Error {
  return new Error('the sandbox is closed')
}

function takeFree(slots: Slot[]): Slot | undefined {
  const slot = slots.find(({ busy, process }) => !busy && process?.isAlive()) ?? slots.find(({ busy }) => !busy)
  if (slot) slot.busy = true
  return slot
}

function nextFree(waiters: Waiter[], signal: AbortSignal): Promise<Slot> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiters.splice(waiters.indexOf(waiter), 1)
      reject(signal.reason as Error)
    }
    const waiter: Waiter = {
      take(slot) {
        signal.removeEventListener('abort', leave)
        resolve(slot)
      },
      refuse(reason) {
        signal.removeEventListener('abort', leave)
        reject(reason)
      },
    }
    signal.addEventListener('abort', leave, { once: true })
    waiters.push(waiter)
  })
}

function release(slot: Slot, waiters: Waiter[]): void {
  const next = waiters.shift()
  if (next) next.take(slot)
  else slot.busy = false
}
