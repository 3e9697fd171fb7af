import {
  type Context,
  DiagLogLevel,
  diag,
  type Attributes as OtelAttributes,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { metricProducer, type ReadMetrics } from './metricProducer.ts'
import { type Span, type SpanOptions, setTracer, type Tracer } from './tracing.ts'

/** Values of OTEL_TRACES_SAMPLER. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export type TelemetryOptions = {
  serviceName: string | undefined
  version: string
  sampler: SamplerName
  ratio: number
  traces: boolean
  metrics: boolean
  metricsEveryMs: number
  figures: ReadMetrics
  /** Called at most once a minute, however long the collector is unreachable. */
  onFault(reason: string): void
  /** How long `close` waits for the collector. Default: two seconds. */
  shutdownMs?: number
}

/** Limit of spans that wait for the collector; further spans are dropped. */
const queueMax = 4096
const batchMax = 512
const exportMs = 10_000
const defaultShutdownMs = 2_000
const faultLogIntervalMs = 60_000

/**
 * Exports traces and metrics by OTLP (http/protobuf). The exporters read the address from the standard variables. Requests never wait for
 * the collector; data that it does not accept in time is dropped. `close` sends the rest, for `shutdownMs` at most.
 */
export function startTelemetry(options: TelemetryOptions): { close(): Promise<void> } {
  const { shutdownMs = defaultShutdownMs } = options
  logExportFaults(options.onFault)
  const own = { 'service.version': options.version, ...(options.serviceName === undefined ? { 'service.name': 'atelier' } : {}) }
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
  const closers: (() => Promise<void>)[] = []
  if (options.traces) {
    const processor = new BatchSpanProcessor({
      exporter: new OTLPTraceExporter({ timeoutMillis: exportMs }),
      maxQueueSize: queueMax,
      maxExportBatchSize: batchMax,
      scheduledDelayMillis: 1000,
      exportTimeoutMillis: exportMs,
    })
    const provider = new TracerProvider({ resource, sampler: samplerOf(options), spanProcessors: [processor] })
    setTracer(tracerOf(provider))
    closers.push(() => provider.shutdown())
  }
  if (options.metrics) {
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ timeoutMillis: exportMs }),
      exportIntervalMillis: options.metricsEveryMs,
      exportTimeoutMillis: Math.min(exportMs, options.metricsEveryMs),
      metricProducers: [metricProducer(options.figures, resource)],
    })
    const provider = new MeterProvider({ resource, readers: [reader] })
    closers.push(() => provider.shutdown())
  }
  return {
    async close() {
      setTracer(undefined)
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, shutdownMs)
      await Promise.race([Promise.allSettled(closers.map((each) => each())), late.promise])
      clearTimeout(timer)
      diag.disable()
    },
  }
}

function samplerOf({ sampler, ratio }: Pick<TelemetryOptions, 'sampler' | 'ratio'>): Sampler {
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[sampler.replace('parentbased_', '')]?.() ?? new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

function tracerOf(provider: TracerProvider): Tracer {
  const made = provider.getTracer('atelier')
  return {
    span(name, { kind = 'internal', parent, link, attributes = {} }: SpanOptions) {
      const linked = link === undefined ? undefined : spanContextOf(link)
      const options = { kind: kinds[kind], attributes: present(attributes), ...(linked ? { links: [{ context: linked }] } : {}) }
      return spanOf(made.startSpan(name, options, contextOf(parent)))
    },
  }
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceId,
    parent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    add: (attributes) => void span.setAttributes(present(attributes)),
    fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
    end: () => span.end(),
  }
}

function present(attributes: NonNullable<SpanOptions['attributes']>): OtelAttributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  )
}

function contextOf(parent: string | undefined): Context {
  const remote = parent === undefined ? undefined : spanContextOf(parent)
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
}

/** Parses a `traceparent`; undefined for an invalid one. */
function spanContextOf(text: string) {
  const [, traceId, spanId, flags] = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** Messages of the library may contain the collector's address with credentials, so only the kind of fault is logged. */
function logExportFaults(onFault: (reason: string) => void): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  const report = (reason: string) => {
    if (performance.now() - loggedAt < faultLogIntervalMs) return
    loggedAt = performance.now()
    onFault(reason)
  }
  const quiet = () => undefined
  diag.setLogger(
    {
      error: () => report('the collector did not accept it'),
      warn: () => report('some of it was dropped'),
      info: quiet,
      debug: quiet,
      verbose: quiet,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
