import type { Readable } from 'node:stream'
import type { MetricsRecorder } from '../../domain/metrics.ts'
import type { Output, Provider, ProviderCall, ProviderContext } from '../../providers/provider.ts'

/** What a provider has to answer in, unless it says otherwise of itself. */
const defaultTimeoutSeconds: Record<ProviderCall, number> = { submit: 120, poll: 20, collect: 300, cancel: 15, health: 20 }
/** Past its deadline work gets one last look, which may take as long. */
const finalPollSeconds = 20

export type ProviderCallOptions = {
  clock: ProviderContext['clock']
  /** No call goes on past it for longer than a last look takes. */
  deadlineAt?: Date | null
  /** What ends the call before its time. */
  unless?: AbortSignal[]
  log: ProviderContext['log']
  /** Hears how long it took. */
  metrics?: MetricsRecorder
  /** Where bytes are kept that come with the answer; without, there is nobody left who wants them. */
  keep?: StageOutput
}

/**
 * `signal` aborts the reading of what the vendor sends, `storing` everything that is our own: it is the only one after `onReceived`.
 * `pausing` runs a wait for our own disk, which does not count as the vendor's time.
 */
export type StageOutput = (content: Uint8Array | Readable, mimeType: string, how: StageOptions) => Promise<Output>

export type StageOptions = {
  signal: AbortSignal
  storing: AbortSignal
  onReceived(): void
  pausing<Result>(wait: () => Promise<Result>): Promise<Result>
}

/** How long the provider may take over an answer. */
export function callTimeoutSeconds({ answerSeconds }: Pick<Provider, 'answerSeconds'>, call: ProviderCall): number {
  return answerSeconds?.[call] ?? defaultTimeoutSeconds[call]
}

/**
 * Asks a provider, in the time that the call may take: a vendor that never answers keeps nobody. The answer is given up when the time is
 * over or a signal of `unless` aborts, also by a provider that pays no heed to its own signal. Rejects with what was first. While bytes
 * that have arrived are being stored, the time stands still: it is the vendor's.
 */
export async function callProvider<Answer>(
  provider: Provider,
  call: ProviderCall,
  { clock, deadlineAt, unless = [], log, metrics, keep = discardOutput }: ProviderCallOptions,
  ask: (context: ProviderContext) => Promise<Answer>,
): Promise<Answer> {
  const own = callTimeoutSeconds(provider, call)
  const left = deadlineAt ? (deadlineAt.getTime() - clock.now().getTime()) / 1000 + finalPollSeconds : own
  const timeout = new AbortController()
  const seconds = Math.min(own, Math.max(left, finalPollSeconds))
  const timer = pausableTimer(seconds * 1000, () => timeout.abort(new Error(`no answer to ${call} within ${Math.round(seconds)} s`)))
  const signal = AbortSignal.any([timeout.signal, ...unless])
  const givenUp = Promise.withResolvers<never>()
  const giveUp = () => givenUp.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  const begunAt = performance.now()
  const tell = (outcome: 'answered' | 'unanswered') => {
    metrics?.providerCall({ provider: provider.id, call, seconds: (performance.now() - begunAt) / 1000, outcome })
  }
  try {
    signal.throwIfAborted()
    const storing = AbortSignal.any(unless)
    const context: ProviderContext = {
      signal,
      clock,
      log,
      keep: (content, mimeType) => keep(content, mimeType, { signal, storing, ...timed(timer) }).finally(timer.resume),
    }
    const answer = await Promise.race([ask(context), givenUp.promise])
    tell('answered')
    return answer
  } catch (error) {
    // Nobody's fault but ours who gave it up.
    if (!unless.some(({ aborted }) => aborted)) tell('unanswered')
    throw error
  } finally {
    timer.clear()
    signal.removeEventListener('abort', giveUp)
  }
}

/** What follows stored bytes, such as the end of the answer, gets some seconds in any case. */
const restMsMin = 20_000

function timed({ stop, resume }: PausableTimer): Pick<StageOptions, 'onReceived' | 'pausing'> {
  let isReceived = false
  return {
    onReceived() {
      isReceived = true
      stop()
    },
    async pausing(wait) {
      stop()
      try {
        return await wait()
      } finally {
        if (!isReceived) resume()
      }
    },
  }
}

type PausableTimer = ReturnType<typeof pausableTimer>

function pausableTimer(milliseconds: number, onTimeout: () => void): { stop(): void; resume(): void; clear(): void } {
  const endsAt = performance.now() + milliseconds
  let timer: NodeJS.Timeout | undefined = setTimeout(onTimeout, milliseconds)
  let isCleared = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    stop,
    resume() {
      if (timer === undefined && !isCleared) timer = setTimeout(onTimeout, Math.max(restMsMin, endsAt - performance.now()))
    },
    clear() {
      isCleared = true
      stop()
    },
  }
}

async function discardOutput(): Promise<never> {
  throw new Error('the work is no longer wanted')
}
