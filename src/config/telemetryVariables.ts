import { z } from 'zod'

const exporters = z.enum(['otlp', 'none'])
const truth = z.enum(['true', 'false']).transform((text) => text === 'true')
/** Values of OTEL_TRACES_SAMPLER. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The OpenTelemetry variables that we read. The exporters read their own: headers, timeouts, certificates. */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    takes: 'the address of a collector, such as http://collector:4318',
    read: z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')),
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { takes: 'http/protobuf', read: z.enum(['http/protobuf']), otherwise: 'http/protobuf' },
  OTEL_SERVICE_NAME: { takes: 'a name of 1 to 255 characters', read: z.string().regex(/^[^\p{C}]{1,255}$/u) },
  OTEL_TRACES_SAMPLER: { takes: samplers.join(', '), read: z.enum(samplers), otherwise: 'parentbased_always_on' },
  OTEL_TRACES_SAMPLER_ARG: {
    takes: 'a share from 0 to 1',
    read: z
      .string()
      .regex(/^(0|1|[01]?\.\d{1,9})0*$/)
      .transform(Number)
      .pipe(z.number().max(1)),
    otherwise: 1,
  },
  OTEL_TRACES_EXPORTER: { takes: 'otlp or none', read: exporters, otherwise: 'otlp' },
  OTEL_METRICS_EXPORTER: { takes: 'otlp or none', read: exporters, otherwise: 'otlp' },
  OTEL_METRIC_EXPORT_INTERVAL: {
    takes: 'milliseconds from 1000 to 3600000',
    read: z
      .string()
      .regex(/^\d{4,7}$/)
      .transform(Number)
      .pipe(z.number().min(1000).max(3_600_000)),
    otherwise: 60_000,
  },
  OTEL_SDK_DISABLED: { takes: 'true or false', read: truth, otherwise: false },
} as const
