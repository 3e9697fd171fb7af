import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes of a span: our own names, numbers and identifiers; never user input, keys or addresses. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type Span = {
  add(attributes: Attributes): void
  /** Never pass user input as `message`. */
  fail(message: string): void
  end(): void
  readonly traceId: string
  /** The W3C `traceparent`, including the sampled flag. */
  readonly parent: string
}

/** `parent` and `link`: a `traceparent`. The default parent is the active span; without one, the span starts a trace. */
export type SpanOptions = { kind?: SpanKind; parent?: string | undefined; link?: string | undefined; attributes?: Attributes }

/** Creates spans, see `openTelemetry.ts`. */
export type Tracer = { span(name: string, options: SpanOptions & { parent: string | undefined }): Span }

let tracer: Tracer | undefined
const activeSpan = new AsyncLocalStorage<Span | undefined>()

/** Turns tracing on; undefined turns it off. While it is off, the functions of this file only check this. */
export function setTracer(made: Tracer | undefined): void {
  tracer = made
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** Starts a span that the caller ends. Undefined while tracing is off. */
export function openSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.span(name, { ...options, parent: options.parent ?? activeSpan.getStore()?.parent })
}

/** Starts a child of the active span; undefined without one, so that work outside a trace starts no trace. */
export function openChild(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer && activeSpan.getStore() ? openSpan(name, options) : undefined
}

/** Runs `work` with `span` as the active span. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? activeSpan.run(span, work) : work()
}

/** Runs `work` in a new span. A throw marks it as failed, with only the name of the error. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work(undefined)
  return runInSpan(openSpan(name, options), work)
}

/** Like {@link traced}, but only within an active span. */
export async function tracedChild<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracer || !activeSpan.getStore()) return work(undefined)
  return runInSpan(openSpan(name, options), work)
}

async function runInSpan<Result>(span: Span | undefined, work: (span: Span | undefined) => Promise<Result>): Promise<Result> {
  try {
    return await within(span, () => work(span))
  } catch (error) {
    span?.fail(error instanceof Error ? error.name : 'failed')
    throw error
  } finally {
    span?.end()
  }
}

/** Runs `work` outside any trace, for work that many requests share. */
export function untraced<Result>(work: () => Result): Result {
  return tracer && activeSpan.getStore() ? activeSpan.run(undefined, work) : work()
}

/** The `traceparent` of the active span, for work that continues in another process. */
export function traceParent(): string | undefined {
  return tracer && activeSpan.getStore()?.parent
}

/** The trace of the active span, for log lines. */
export function logTraceFields(): { trace_id: string } | undefined {
  const span = tracer && activeSpan.getStore()
  return span && { trace_id: span.traceId }
}
