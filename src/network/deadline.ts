import { FetchFailure } from './fetchFailure.ts'

/** The current stage of a request; it selects the message of a timeout. */
type Stage = 'resolving' | 'connecting' | 'securing' | 'answering' | 'reading'

const unfinished: Record<Stage, string> = {
  resolving: 'name not resolved',
  connecting: 'no connection',
  securing: 'TLS handshake not complete',
  answering: 'no answer',
  reading: 'answer not complete',
}

/**
 * The time limit of a whole request, from the first DNS look-up to the last byte of the body.
 * `signal` aborts with a {@link FetchFailure}: `timeout`, or `aborted` when the caller's signal aborts.
 */
export type Deadline = {
  readonly signal: AbortSignal
  stage: Stage
  /** Resolves with `work`, or rejects when the time is up. The result of `work` is then ignored. */
  wait<T>(work: Promise<T>): Promise<T>
  /** Stops the timer and removes the listener on the caller's signal. Idempotent. */
  end(): void
}

/** Starts the time limit. Every code path must call {@link Deadline.end}. */
export function startDeadline({ deadlineSeconds, signal }: { deadlineSeconds: number; signal?: AbortSignal | undefined }): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort(new FetchFailure('aborted', 'stopped before the end', { cause: signal?.reason }))
  const timer = setTimeout(() => {
    controller.abort(new FetchFailure('timeout', `${unfinished[deadline.stage]} within ${deadlineSeconds} s`))
  }, deadlineSeconds * 1000)
  const deadline: Deadline = {
    signal: controller.signal,
    stage: 'resolving',
    wait: (work) => untilAborted(work, controller.signal),
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return deadline
}

/** Resolves with `work`, or rejects with the reason of `signal` when it aborts. The result of `work` is then ignored. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
