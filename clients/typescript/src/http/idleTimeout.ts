import { NoAnswerError } from '../errors/errorKinds.ts'

/** The service sends something every 15 seconds. After three missing ones the stream is idle. */
const idleSecondsLimit = 45

/** The stream was idle for too long. */
export class StreamIdle extends NoAnswerError<'timed_out'> {
  constructor() {
    super({ code: 'timed_out', message: `The stream was idle for ${idleSecondsLimit} seconds.`, status: 0, retryable: true })
  }
}

export type IdleTimeout = {
  /** Aborts with a StreamIdle. */
  signal: AbortSignal
  /** Waits for the next chunk of the stream, within the limit. */
  during<Value>(next: Promise<Value>): Promise<Value>
}

/** The idle limit of one stream, shortened to the remaining time. */
export function idleTimeout(leftSeconds: () => number): IdleTimeout {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    async during(next) {
      const timer = setTimeout(() => controller.abort(new StreamIdle()), Math.min(idleSecondsLimit, leftSeconds()) * 1000)
      try {
        return await next
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
