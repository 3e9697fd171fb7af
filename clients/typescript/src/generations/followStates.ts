import { AtelierError } from '../errors/atelierError.ts'
import { UnexpectedAnswerError } from '../errors/connectionErrors.ts'
import { AddressNotFoundError } from '../errors/refusals.ts'
import { readError } from '../http/answer.ts'
import { addressOf, type CallOptions, headersOf } from '../http/call.ts'
import { brokenConnection, type Connection } from '../http/connection.ts'
import { readEventStream, type ServerEvent } from '../http/eventStream.ts'
import { type IdleTimeout, idleTimeout, StreamIdle } from '../http/idleTimeout.ts'
import { backoffSeconds } from '../http/retry.ts'
import type { Generation } from '../openapi.ts'
import { isEnded, type PollOptions, pollStates } from './pollStates.ts'

type EventOptions = Omit<PollOptions, 'waitSeconds'>

/** How long a request is held where there are no events: short enough for progress. */
const pollSeconds = 10

/**
 * Yields the states of a generation, without repeats, until it has ended or the time is over. A stream that breaks, ends or is idle is
 * reopened where it stopped. Falls back to polling for a service without streams, and behind a proxy that buffers them. Throws
 * AtelierError for permanent errors.
 */
export async function* followStates(
  connection: Connection,
  generationId: string,
  options: EventOptions,
): AsyncGenerator<Generation, void, undefined> {
  let lastState: string | undefined
  for await (const generation of streamedStates(connection, generationId, options)) {
    // When to ask again says nothing about the generation.
    const state = JSON.stringify({ ...generation, pollAfterSeconds: undefined })
    if (state !== lastState) yield generation
    lastState = state
  }
}

async function* streamedStates(
  connection: Connection,
  generationId: string,
  options: EventOptions,
): AsyncGenerator<Generation, void, undefined> {
  const { timing } = connection
  let last: ServerEvent | undefined
  let failures = 0
  for (;;) {
    const end = yield* oneStream(connection, generationId, { ...options, last })
    options.signal?.throwIfAborted()
    if (end.hasEnded || options.leftSeconds() === 0) return
    if (shouldFallBackToPolling(end)) return yield* pollStates(connection, generationId, { ...options, waitSeconds: pollSeconds })
    if (end.failure && !end.failure.retryable) throw end.failure
    last = end.last
    failures = end.hasReportedState ? 1 : failures + 1
    const seconds = Math.max(backoffSeconds(failures, { timing, error: end.failure }), last?.retrySeconds ?? 0)
    await timing.pause(Math.min(seconds, options.leftSeconds()), options.signal)
  }
}

/** True for an older service, and for a proxy that buffers the stream until its end. */
function shouldFallBackToPolling({ failure, hasReportedState }: StreamEnd): boolean {
  return failure instanceof AddressNotFoundError || (failure instanceof StreamIdle && !hasReportedState)
}

type StreamEnd = {
  /** True when the generation has ended. */
  hasEnded: boolean
  /** True when the stream has sent a state. */
  hasReportedState: boolean
  /** Absent when the stream ended normally. */
  failure: AtelierError | undefined
  /** The last event of this stream or of earlier ones. */
  last: ServerEvent | undefined
}

/** Yields the states of one connection, from the last event on. Returns how it ended. */
async function* oneStream(
  connection: Connection,
  generationId: string,
  { last, leftSeconds, signal, headers }: EventOptions & { last: ServerEvent | undefined },
): AsyncGenerator<Generation, StreamEnd, undefined> {
  const limit = idleTimeout(leftSeconds)
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal
  const end: StreamEnd = { hasEnded: false, hasReportedState: false, failure: undefined, last }
  try {
    const body = await limit.during(opened(connection, generationId, { lastEventId: last?.lastEventId ?? '', headers, signal: either }))
    for await (const event of readEventStream(chunksWithinTimeout(body, limit))) {
      end.last = event
      if (event.type !== 'generation') continue
      const generation = generationIn(event)
      end.hasReportedState = true
      yield generation
      end.hasEnded = isEnded(generation)
      if (end.hasEnded) break
    }
  } catch (error) {
    const failure = brokenConnection(error, either, connection.where)
    if (!(failure instanceof AtelierError)) throw failure
    end.failure = failure
  }
  return end
}

async function opened(
  connection: Connection,
  generationId: string,
  { lastEventId, headers, signal }: { lastEventId: string; headers: CallOptions['headers']; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await connection.fetch(addressOf(connection, 'followGeneration', { path: { id: generationId } }), {
    headers: headersOf(connection, headers, { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId === '' ? undefined : lastEventId }),
    cache: 'no-store',
    redirect: 'manual',
    signal,
  })
  const isStream = response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (isStream && response.body) return response.body
  throw await readError(response)
}

/** The chunks of the body. Only waiting for them counts as idle time, not the work between them. */
async function* chunksWithinTimeout(body: ReadableStream<Uint8Array>, limit: IdleTimeout): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await limit.during(reader.read())
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function generationIn({ data }: ServerEvent): Generation {
  try {
    const value = JSON.parse(data) as Partial<Generation> | null
    if (typeof value?.generationId === 'string' && typeof value.state === 'string') return value as Generation
  } catch {}
  throw new UnexpectedAnswerError({ status: 200 })
}
