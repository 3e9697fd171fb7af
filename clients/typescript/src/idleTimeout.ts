import { ConnectionError } from './errorKinds.ts'

/** The service sends something every 15 seconds; three of them have failed to come. */
const idleSecondsLimit = 45

/** Nothing has come over a stream for too long. */
export class StreamIdle extends ConnectionError<'timed_out'> {
  constructor() {
    super({ code: 'timed_out', message: `The stream was silent for ${idleSecondsLimit} seconds.`, status: 0, retryable: true })
  }
}

export type IdleTimeout = {
  /** Aborts with a StreamIdle. */
  signal: AbortSignal
  /** Waits for what the stream is to bring next, no longer than the limit. */
  during<Value>(next: Promise<Value>): Promise<Value>
}

/** The limit of one stream, cut where all its time is over before that. */
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
