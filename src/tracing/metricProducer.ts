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

type Moment = [number, number]

/** Exports the metrics of `/metrics` under the same names: counters, gauges and histograms since the start of the process. */
export function metricProducer(read: ReadMetrics, resource: Resource): MetricProducer {
  const startTime = now()
  return {
    async collect(): Promise<CollectionResult> {
      const times = { startTime, endTime: now() }
      const metrics = (await read()).flatMap((figure) => metricOf(figure, times) ?? [])
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'atelier' }, metrics }] }, errors: [] }
    },
  }
}

function now(): Moment {
  const ms = Date.now()
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6]
}

type Times = { startTime: Moment; endTime: Moment }

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
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, times) }
    default:
      return undefined
  }
}

/** Prometheus buckets are cumulative; OTLP buckets are not. */
function histograms(values: readonly Value[], times: Times) {
  const series = new Map<
    string,
    { attributes: Record<string, string | number>; bounds: number[]; upTo: number[]; sum: number; count: number }
  >()
  for (const { labels, value, metricName = '' } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(Object.entries(attributes).toSorted(([one], [other]) => one.localeCompare(other)))
    const one = series.get(key) ?? { attributes, bounds: [], upTo: [], sum: 0, count: 0 }
    series.set(key, one)
    if (metricName.endsWith('_sum')) one.sum = value
    else if (metricName.endsWith('_count')) one.count = value
    else if (le !== undefined && le !== '+Inf') {
      one.bounds.push(Number(le))
      one.upTo.push(value)
    }
  }
  return [...series.values()].map(({ attributes, bounds, upTo, sum, count }) => {
    const counts = [...upTo, count].map((value, index, all) => value - (index === 0 ? 0 : (all[index - 1] ?? 0)))
    return { ...times, attributes, value: { buckets: { boundaries: bounds, counts }, sum, count } }
  })
}
