import { FetchFailure } from './fetchFailure.ts'

/** What a request is waiting for; it decides the words when the time is up. */
type Stage = 'resolving' | 'connecting' | 'securing' | 'answering' | 'reading'

const unfinished: Record<Stage, string> = {
  resolving: 'name not resolved',
  connecting: 'no connection',
  securing: 'TLS handshake not complete',
  answering: 'no answer',
  reading: 'answer not complete',
}

/**
 * The one time limit of a request, from its first look-up to the last byte of its body.
 * `signal` aborts with a {@link FetchFailure} as its reason: `timeout`, or `aborted` when the caller's own signal fired.
 */
export type Deadline = {
  readonly signal: AbortSignal
  stage: Stage
  /** The outcome of `work`, or the failure as soon as the time is up; `work` itself is then left to end unheard. */
  wait<T>(work: Promise<T>): Promise<T>
  /** Stops the timer and lets go of the caller's signal. May be called more than once. */
  end(): void
}

/** Starts the time limit. Every path must come to {@link Deadline.end}. */
export function startDeadline({ deadlineSeconds, signal }: { deadlineSeconds: number; signal?: AbortSignal | undefined }): Deadline {
  const controller = new AbortController()
  const giveUp = () => controller.abort(new FetchFailure('aborted', 'stopped before the end', { cause: signal?.reason }))
  const timer = setTimeout(() => {
    controller.abort(new FetchFailure('timeout', `${unfinished[deadline.stage]} within ${deadlineSeconds} s`))
  }, deadlineSeconds * 1000)
  const deadline: Deadline = {
    signal: controller.signal,
    stage: 'resolving',
    wait: (work) => firstOf(work, controller.signal),
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    },
  }
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })
  return deadline
}

function firstOf<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
