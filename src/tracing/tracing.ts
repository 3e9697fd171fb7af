import { AsyncLocalStorage } from 'node:async_hooks'

/** What a span may say: names of ours, numbers and identifiers; never what a user wrote, a key, or an address. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type Span = {
  add(attributes: Attributes): void
  /** `words` of ours. */
  fail(words: string): void
  end(): void
  readonly traceId: string
  /** As W3C's `traceparent` has it, and whether it is sampled. */
  readonly parent: string
}

/** `parent` and `link`: a `traceparent`. Without a parent, the span that is under way is; and without that, it begins a trace. */
export type SpanOptions = { kind?: SpanKind; parent?: string | undefined; link?: string | undefined; attributes?: Attributes }

/** What makes spans, see `openTelemetry.ts`. */
export type Tracer = { span(name: string, options: SpanOptions & { parent: string | undefined }): Span }

let tracer: Tracer | undefined
const activeSpan = new AsyncLocalStorage<Span | undefined>()

/** From now on spans are made; `undefined` ends that. Until then nothing of this costs more than a look whether it is so. */
export function setTracer(made: Tracer | undefined): void {
  tracer = made
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** A span for which somebody else finds the end. `undefined` while nothing is traced. */
export function openSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.span(name, { ...options, parent: options.parent ?? activeSpan.getStore()?.parent })
}

/** A span within the one that is under way; `undefined` where none is, so that what belongs to no trace begins none. */
export function openChild(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer && activeSpan.getStore() ? openSpan(name, options) : undefined
}

/** Runs `work`, which the span is about: what it does and asks for belongs to the span. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? activeSpan.run(span, work) : work()
}

/** Runs `work` as a span. One that throws has failed, under the name of its error alone. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work(undefined)
  return runInSpan(openSpan(name, options), work)
}

/** As {@link traced}, and only where a span is under way. */
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

/** Runs what is done for many at once, and belongs to none of their traces. */
export function untraced<Result>(work: () => Result): Result {
  return tracer && activeSpan.getStore() ? activeSpan.run(undefined, work) : work()
}

/** The span that is under way, for those who go on with it in another process. */
export function traceParent(): string | undefined {
  return tracer && activeSpan.getStore()?.parent
}

/** What a line of the log belongs to. */
export function logTraceFields(): { trace_id: string } | undefined {
  const span = tracer && activeSpan.getStore()
  return span && { trace_id: span.traceId }
}
