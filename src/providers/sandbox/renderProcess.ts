import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Failure } from '../../contract/failures.ts'
import { makeFontFolder } from './fontFolder.ts'
import type { RenderReply, RenderRequest, RenderUsage } from './renderOrder.ts'

/** Bounds of one render process: its JavaScript heap, all of its memory, and the time of one render. */
export type RenderLimits = { heapMegabytesMax: number; memoryBytesMax: number; renderSecondsMax: number }

/**
 * How a render ended. `broken` leaves the process fit for more; after the last three it is gone: `killed` from outside, with no
 * blame on the work, or it `died` of the work, and would again.
 */
export type RenderOutcome =
  | { kind: 'rendered'; usage: RenderUsage }
  | { kind: 'refused'; failure: Failure }
  | { kind: 'broken'; message: string }
  | { kind: 'killed'; message: string }
  | { kind: 'died'; message: string }
  | { kind: 'too_slow' }

export type RenderProcess = {
  isAlive(): boolean
  /** Renders one order; one at a time. When `signal` aborts, the process is killed and the promise rejects with its reason. */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderOutcome>
  /** Kills the process and waits until it is gone. */
  end(): Promise<void>
}

/**
 * Forks a process that renders, and waits until it can draw. It gets none of our environment, and it never keeps this process
 * running. Rejects when it does not come up within 30 seconds.
 */
export async function startRenderProcess(limits: RenderLimits, folder: string): Promise<RenderProcess> {
  const fonts = await makeFontFolder(folder)
  try {
    const child = fork(fileURLToPath(new URL('./child/renderer.ts', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${limits.heapMegabytesMax}`, '--disable-warning=ExperimentalWarning'],
      env: { FONTCONFIG_FILE: fonts.configurationPath },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Without a listener a failed kill or send would throw in the service; every such case also ends in `exit`.
    child.on('error', () => {})
    child.unref()
    child.channel?.unref()
    if (!(await comesUp(child))) {
      await end(child)
      throw new Error('the render process did not start')
    }
    return {
      isAlive: () => isAlive(child),
      render: (request, signal) => render(child, request, limits, signal),
      end: () => end(child),
    }
  } finally {
    await rm(fonts.folder, { recursive: true, force: true })
  }
}

async function comesUp(child: ChildProcess): Promise<boolean> {
  const settled = new AbortController()
  const options = { signal: settled.signal }
  try {
    return await Promise.race([
      once(child, 'message', options).then(() => true),
      once(child, 'exit', options).then(() => false),
      sleep(30_000, false, options),
    ])
  } catch {
    return false
  } finally {
    settled.abort()
  }
}

async function render(child: ChildProcess, request: RenderRequest, limits: RenderLimits, signal: AbortSignal): Promise<RenderOutcome> {
  signal.throwIfAborted()
  const settled = new AbortController()
  const options = { signal: settled.signal }
  try {
    const replies = once(child, 'message', options)
    child.send(request)
    const outcome = await Promise.race([
      replies.then(([reply]) => outcomeOf(reply as RenderReply, request.id)),
      once(child, 'exit', options).then(([code, byWhat]) => outcomeOfExit(code as number | null, byWhat as NodeJS.Signals | null)),
      sleep(limits.renderSecondsMax * 1000, { kind: 'too_slow' } as const, options),
      overMemory(child, limits.memoryBytesMax, settled.signal),
      abortOf(signal, settled.signal),
    ])
    if (outcome.kind !== 'rendered' && outcome.kind !== 'refused' && outcome.kind !== 'broken') await end(child)
    return outcome
  } catch (error) {
    await end(child)
    signal.throwIfAborted()
    return { kind: 'killed', message: `the render process could not be reached: ${String(error)}` }
  } finally {
    settled.abort()
  }
}

function outcomeOf(reply: RenderReply, id: number): RenderOutcome {
  if (reply.kind === 'ready' || reply.id !== id) return { kind: 'died', message: 'the render process answered out of turn' }
  const { id: _, ...outcome } = reply
  return outcome
}

/** A process that runs out of its heap, or trips over a fault in a library, raises its own signal. */
function outcomeOfExit(code: number | null, signal: NodeJS.Signals | null): RenderOutcome {
  const isFromOutside = signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT'
  return { kind: isFromOutside ? 'killed' : 'died', message: `the render process ended with ${signal ?? code}` }
}

function abortOf(signal: AbortSignal, until: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until })
  })
}

/** Heap limits do not hold what libvips and WebAssembly allocate; where the system tells, the whole process is watched. */
async function overMemory(child: ChildProcess, memoryBytesMax: number, until: AbortSignal): Promise<RenderOutcome> {
  for await (const _ of every(250, undefined, { signal: until, ref: false })) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    if (kibibytes * 1024 > memoryBytesMax) return { kind: 'died', message: `the render process held ${kibibytes} KiB` }
  }
  throw new Error('unreachable: the interval ends by its signal')
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null && child.connected
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  child.ref()
  child.kill('SIGKILL')
  await gone
}
