import { Readable } from 'node:stream'
import { limits } from '../contract/limits.ts'

export type EventStreamOptions = {
  /** The name of each event. */
  event: string
  /** The header `Last-Event-ID`: event numbers continue from it. */
  lastEventId: string | undefined
  commentMs?: number
}

/**
 * The values as server-sent events, with backpressure: at most one event is buffered for a slow client. A comment every 15 seconds keeps
 * proxies from closing the connection as idle. Contract: docs/contract.md#follow-a-generation.
 */
export function eventStream(values: AsyncGenerator<unknown>, options: EventStreamOptions): Readable {
  return Readable.from(eventFrames(values, options), { highWaterMark: 1 })
}

/** The headers of a stream. They disable caching and proxy buffering, so that each event arrives at once. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

async function* eventFrames(values: AsyncGenerator<unknown>, options: EventStreamOptions): AsyncGenerator<string, void> {
  const { event, lastEventId, commentMs = limits.eventCommentSeconds * 1000 } = options
  let id = parseLastEventId(lastEventId)
  let commentAt = performance.now() + commentMs
  try {
    for (let next = pendingNext(values); ; ) {
      const taken = await next.within(commentAt - performance.now())
      if (taken === undefined) {
        commentAt = performance.now() + commentMs
        yield ': still here\n\n'
      } else if (taken.done) return
      else {
        id += 1
        yield `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(taken.value)}\n\n`
        next = pendingNext(values)
      }
    }
  } finally {
    await values.return(undefined)
  }
}

/** The number of the last event; 0 for any other text. */
function parseLastEventId(lastEventId = ''): number {
  return /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : 0
}

/** The next value. Repeated waits with a time limit leave no pending timers or listeners. */
function pendingNext<Value>(values: AsyncGenerator<Value>): { within(milliseconds: number): Promise<IteratorResult<Value> | undefined> } {
  let settled: { result: IteratorResult<Value> } | { error: unknown } | undefined
  let wake: () => void = () => undefined
  values.next().then(
    (result) => {
      settled = { result }
      wake()
    },
    (error: unknown) => {
      settled = { error }
      wake()
    },
  )
  return {
    async within(milliseconds) {
      if (!settled) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, milliseconds)).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (settled && 'error' in settled) throw settled.error
      return settled?.result
    },
  }
}
