import { Gauge, type Registry } from 'prom-client'
import { memoizeFor } from '../concurrency/memoizeFor.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { bindSql } from '../domain/sql.ts'
import { type DeploymentMetric, type MetricQuery, type MetricRow, metricQueries } from './deploymentMetrics.ts'
import type { MonitoredServices } from './monitoredServices.ts'

/** How old the figures of the whole deployment may be, however often somebody asks. */
const metricsCacheMs = 5000

type Read = ReadonlyMap<string, MetricRow[]>

/**
 * The figures of the whole deployment, which every process tells alike. What the database does not give is left out, and
 * `atelier_figures_up` is 0: the process's own figures are told all the same.
 */
export function registerDeploymentGauges(services: MonitoredServices, registry: Registry): void {
  const read = memoizeFor(metricsCacheMs, () => readAll(services))
  new Gauge({
    name: 'atelier_figures_up',
    help: 'Whether the database gave all figures of the whole deployment.',
    registers: [registry],
    async collect() {
      this.set((await read().answer).complete ? 1 : 0)
    },
  })
  for (const figure of metricQueries.flatMap(({ figures }) => figures)) gauge(figure, registry, async () => (await read().answer).values)
}

function gauge({ name, help, label }: DeploymentMetric, registry: Registry, read: () => Promise<Read>): void {
  new Gauge({
    name,
    help: `${help} In the whole deployment.`,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const rows = (await read()).get(name) ?? []
      // One without labels would begin anew at 0, which is not known.
      if (label === undefined) this.remove({})
      else this.reset()
      for (const row of rows) this.set(label === undefined ? {} : { [label]: row.label ?? '' }, row.value)
    },
  })
}

/** One source after the other, so that a look takes one connection; a database that is silent is not asked for the others. */
async function readAll({ pool, log }: MonitoredServices): Promise<{ complete: boolean; values: Read }> {
  const values = new Map<string, MetricRow[]>()
  const sql = bindSql(pool)
  const readOne = async ({ read, figures }: MetricQuery) => {
    const rows = await sql.all(read, [])
    for (const { name } of figures) values.set(name, [])
    for (const { figure, ...row } of rows) values.get(figure)?.push(row)
  }
  let complete = true
  for (const each of metricQueries) {
    try {
      await readOne(each)
    } catch (error) {
      log.warn({ error }, 'figures of the deployment could not be read')
      complete = false
      if (error instanceof Refusal) break
    }
  }
  return { complete, values }
}
