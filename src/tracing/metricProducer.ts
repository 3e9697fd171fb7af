import { ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'

type Value = { labels: Readonly<Record<string, string | number>>; value: number; metricName?: string }

/** A metric as `/metrics` exports it. */
export type MetricSnapshot = { name: string; help: string; type: string; values: readonly Value[] }
export type ReadMetrics = () => Promise<readonly MetricSnapshot[]>

type HrTime = [number, number]

/** Exports the counters, gauges and histograms of `/metrics` to OpenTelemetry under the same names, cumulative since the process start. */
export function metricProducer(read: ReadMetrics, resource: Resource): MetricProducer {
  const startTime = now()
  return {
    async collect(): Promise<CollectionResult> {
      const times = { startTime, endTime: now() }
      const metrics = (await read()).flatMap((metric) => metricOf(metric, times) ?? [])
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'atelier' }, metrics }] }, errors: [] }
    },
  }
}

function now(): HrTime {
  const ms = Date.now()
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6]
}

type Times = { startTime: HrTime; endTime: HrTime }

function metricOf({ name, help, type, values }: MetricSnapshot, times: Times): MetricData | undefined {
  const descriptor = {
    name,
    description: help,
    unit: name.includes('_seconds') ? 's' : name.includes('_bytes') ? 'By' : '',
    valueType: ValueType.DOUBLE,
  }
  const aggregationTemporality = AggregationTemporality.CUMULATIVE
  const points = () => values.map(({ labels, value }) => ({ ...times, attributes: labels, value }))
  switch (type) {
    case 'counter':
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
    case 'gauge':
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram':
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(values, times) }
    default:
      return undefined
  }
}

/** Converts histograms. Prometheus buckets are cumulative; OTLP buckets are not. */
function histogramPoints(values: readonly Value[], times: Times) {
  const series = new Map<
    string,
    { attributes: Record<string, string | number>; bounds: number[]; cumulative: number[]; sum: number; count: number }
  >()
  for (const { labels, value, metricName = '' } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(Object.entries(attributes).toSorted(([left], [right]) => left.localeCompare(right)))
    const entry = series.get(key) ?? { attributes, bounds: [], cumulative: [], sum: 0, count: 0 }
    series.set(key, entry)
    if (metricName.endsWith('_sum')) entry.sum = value
    else if (metricName.endsWith('_count')) entry.count = value
    else if (le !== undefined && le !== '+Inf') {
      entry.bounds.push(Number(le))
      entry.cumulative.push(value)
    }
  }
  return [...series.values()].map(({ attributes, bounds, cumulative, sum, count }) => {
    const counts = [...cumulative, count].map((value, index, all) => value - (index === 0 ? 0 : (all[index - 1] ?? 0)))
    return { ...times, attributes, value: { buckets: { boundaries: bounds, counts }, sum, count } }
  })
}
