import type { samplers, telemetryVariables } from './telemetryVariables.ts'
import type { VariableValues } from './variables.ts'

export type TelemetryConfig = {
  readonly serviceName: string | undefined
  readonly sampler: (typeof samplers)[number]
  readonly ratio: number
  readonly traces: boolean
  readonly metrics: boolean
  readonly metricsEveryMs: number
}

/** Reads the telemetry settings; undefined when nothing is exported. Contract: docs/contract.md#logs-and-telemetry. */
export function telemetryOf(values: Pick<VariableValues, keyof typeof telemetryVariables>): TelemetryConfig | undefined {
  const traces = values.OTEL_TRACES_EXPORTER === 'otlp'
  const metrics = values.OTEL_METRICS_EXPORTER === 'otlp'
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || values.OTEL_SDK_DISABLED || !(traces || metrics)) return undefined
  return {
    serviceName: values.OTEL_SERVICE_NAME,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    traces,
    metrics,
    metricsEveryMs: values.OTEL_METRIC_EXPORT_INTERVAL,
  }
}
