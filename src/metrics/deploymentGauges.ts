import { Gauge, type Registry } from 'prom-client'
import { memoizeFor } from '../concurrency/memoizeFor.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { bindSql } from '../domain/sql.ts'
import { type DeploymentMetric, type MetricQuery, type MetricRow, metricQueries } from './deploymentMetrics.ts'
import type { MonitoredServices } from './monitoredServices.ts'

/** Cache time of the deployment's metrics, however often they are scraped. */
const metricsCacheMs = 5000

type Read = ReadonlyMap<string, MetricRow[]>

/**
 * Registers the metrics of the whole deployment, which every process exports with the same values. When the database fails, they are
 * omitted and `atelier_figures_up` is 0; the metrics of the process are still exported.
 */
export function registerDeploymentGauges(services: MonitoredServices, registry: Registry): void {
  const read = memoizeFor(metricsCacheMs, () => readDeployment(services))
  new Gauge({
    name: 'atelier_figures_up',
    help: '1 when the database returned all metrics of the whole deployment, else 0.',
    registers: [registry],
    async collect() {
      this.set((await read().answer).complete ? 1 : 0)
    },
  })
  for (const figure of metricQueries.flatMap(({ metrics }) => metrics)) gauge(figure, registry, async () => (await read().answer).values)
}

function gauge({ name, help, label }: DeploymentMetric, registry: Registry, read: () => Promise<Read>): void {
  new Gauge({
    name,
    help: `${help} In the whole deployment.`,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const rows = (await read()).get(name) ?? []
      // `reset` would set a gauge without labels to 0, although its value is unknown.
      if (label === undefined) this.remove({})
      else this.reset()
      for (const row of rows) this.set(label === undefined ? {} : { [label]: row.label ?? '' }, row.value)
    },
  })
}

/**
 * Reads the metrics of the whole deployment. Runs one query after the other, so that a scrape uses one connection. Stops when the database is
 * unavailable.
 */
export async function readDeployment({ pool, log }: Pick<MonitoredServices, 'pool' | 'log'>): Promise<{ complete: boolean; values: Read }> {
  const values = new Map<string, MetricRow[]>()
  const sql = bindSql(pool)
  const readOne = async ({ read, metrics }: MetricQuery) => {
    const rows = await sql.all(read, [])
    for (const { name } of metrics) values.set(name, [])
    for (const { figure, ...row } of rows) values.get(figure)?.push(row)
  }
  let complete = true
  for (const each of metricQueries) {
    try {
      await readOne(each)
    } catch (error) {
      log.warn({ error }, 'reading metrics of the deployment failed')
      complete = false
      if (error instanceof Refusal) break
    }
  }
  return { complete, values }
}
