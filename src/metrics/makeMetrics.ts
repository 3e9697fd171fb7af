import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Figure, Metrics } from '../domain/metrics.ts'
import { gaugeDeployment } from './deploymentGauges.ts'
import { makeMeasures } from './measures.ts'
import { gaugeProcess } from './processGauges.ts'
import type { Watched } from './watched.ts'

/** `watch` adds what only services can tell, once they stand; `version` and `roles` say whose figures these are. */
export type OpenedMetrics = { metrics: Metrics; watch(services: Watched, process: { version: string; roles: readonly string[] }): void }

/** The figures of one process, and what it reads of the whole deployment. docs/monitoring.md lists them; a test holds the two together. */
export function makeMetrics(): OpenedMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics: Metrics = {
    ...makeMeasures(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    figures: async () => (await registry.getMetricsAsJSON()) as unknown as Figure[],
  }
  return {
    metrics,
    watch(services, process) {
      gaugeProcess(services, registry, process)
      gaugeDeployment(services, registry)
    },
  }
}
