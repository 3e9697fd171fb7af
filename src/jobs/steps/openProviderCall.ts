import type { Readable } from 'node:stream'
import type { MetricsRecorder } from '../../domain/metrics.ts'
import type { Output, Provider, ProviderContext, ProviderMethod } from '../../providers/provider.ts'
import { type Attributes, openSpan } from '../../tracing/tracing.ts'

/** Time limits of the calls, unless the provider declares its own. */
const defaultTimeoutSeconds: Record<ProviderMethod, number> = { submit: 120, poll: 20, collect: 300, cancel: 15, health: 20 }
/** The last call after the deadline may take this long. */
const finalPollSeconds = 20

export type ProviderCallOptions = {
  clock: ProviderContext['clock']
  /** The call ends {@link finalPollSeconds} after the deadline at the latest. */
  deadlineAt?: Date | null
  /** Signals that end the call early. */
  abortOn?: AbortSignal[]
  log: ProviderContext['log']
  /** Records the duration and the outcome of the call. */
  metrics?: MetricsRecorder
  /** Stores bytes that arrive with the answer; without it such bytes are refused. */
  stage?: StageOutput
  /** Attributes of the call's span; without them the call has none. */
  attributes?: Attributes
}

/**
 * `signal` aborts reading from the vendor. `storing` aborts our own work; only it counts after `onReceived`.
 * `pausing` runs a wait for our own disk, which does not count as time of the vendor.
 */
export type StageOutput = (content: Uint8Array | Readable, mimeType: string, options: StageOptions) => Promise<Output>

export type StageOptions = {
  signal: AbortSignal
  storing: AbortSignal
  onReceived(): void
  pausing<Result>(wait: () => Promise<Result>): Promise<Result>
}

/** A call of a provider's method. It ends with the scope that declares it by `using`. */
export type ProviderCall = Disposable & {
  /** The last argument of the provider's method. */
  readonly context: ProviderContext
  /** Resolves with the answer. Rejects when the time is over or a signal of `abortOn` aborts, even if the provider ignores its signal. */
  awaitAnswer<Answer>(answer: Promise<Answer>): Promise<Answer>
}

/** The time limit for an answer. */
export function callTimeoutSeconds({ answerSeconds }: Pick<Provider, 'answerSeconds'>, method: ProviderMethod): number {
  return answerSeconds?.[method] ?? defaultTimeoutSeconds[method]
}

/**
 * Starts the time limit of a call. The limit is paused while received bytes are stored, since it is for the vendor.
 * Throws when a signal of `abortOn` is already aborted.
 */
export function openProviderCall(
  provider: Provider,
  method: ProviderMethod,
  { clock, deadlineAt, abortOn = [], log, metrics, stage = refuseOutput, attributes }: ProviderCallOptions,
): ProviderCall {
  const storing = AbortSignal.any(abortOn)
  storing.throwIfAborted()
  const limit = callTimeoutSeconds(provider, method)
  const left = deadlineAt ? (deadlineAt.getTime() - clock.now().getTime()) / 1000 + finalPollSeconds : limit
  const seconds = Math.min(limit, Math.max(left, finalPollSeconds))
  const timeout = new AbortController()
  const timer = pausableTimer(seconds * 1000, () => timeout.abort(new Error(`no answer to ${method} within ${Math.round(seconds)} s`)))
  const signal = AbortSignal.any([timeout.signal, storing])
  const aborted = abortOf(signal)
  const span = attributes && openSpan(`provider ${method}`, { kind: 'client', attributes })
  const startedAt = performance.now()
  let outcome: 'answered' | 'unanswered' = 'unanswered'
  let errorName = 'failed'

  return {
    context: {
      signal,
      clock,
      log,
      keep: (content, mimeType) => stage(content, mimeType, { signal, storing, ...pausesOf(timer) }).finally(timer.resume),
    },
    async awaitAnswer(answer) {
      outcome = 'unanswered'
      try {
        const answered = await Promise.race([answer, aborted.promise])
        outcome = 'answered'
        return answered
      } catch (error) {
        if (error instanceof Error) errorName = error.name
        throw error
      }
    },
    [Symbol.dispose]() {
      timer.clear()
      aborted.dispose()
      // An abort by `abortOn` is no fault of the provider.
      if (outcome === 'answered' || !storing.aborted) {
        metrics?.providerCall({ provider: provider.id, call: method, seconds: (performance.now() - startedAt) / 1000, outcome })
      }
      if (outcome === 'unanswered') span?.fail(errorName)
      span?.end()
    },
  }
}

/** `promise` rejects when the signal aborts, until `dispose`. */
function abortOf(signal: AbortSignal): { promise: Promise<never>; dispose(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  // An abort while no answer is awaited must not count as an unhandled rejection.
  promise.catch(() => undefined)
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return { promise, dispose: () => signal.removeEventListener('abort', onAbort) }
}

function pausesOf({ pause, resume }: PausableTimer): Pick<StageOptions, 'onReceived' | 'pausing'> {
  let isReceived = false
  return {
    onReceived() {
      isReceived = true
      pause()
    },
    async pausing(wait) {
      pause()
      try {
        return await wait()
      } finally {
        if (!isReceived) resume()
      }
    },
  }
}

async function refuseOutput(): Promise<never> {
  throw new Error('this call accepts no output')
}

/** After a pause, at least this much time remains: the end of an answer follows its stored bytes. */
const resumedMsMin = 20_000

type PausableTimer = { pause(): void; resume(): void; clear(): void }

/** Calls `onTimeout` after `milliseconds`, unless paused or cleared then. Time that passes during a pause still counts. */
function pausableTimer(milliseconds: number, onTimeout: () => void): PausableTimer {
  const endsAt = performance.now() + milliseconds
  let timer: NodeJS.Timeout | undefined = setTimeout(onTimeout, milliseconds)
  let isCleared = false
  const pause = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    pause,
    resume() {
      if (timer === undefined && !isCleared) timer = setTimeout(onTimeout, Math.max(resumedMsMin, endsAt - performance.now()))
    },
    clear() {
      isCleared = true
      pause()
    },
  }
}
