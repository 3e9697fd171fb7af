import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Figure, Metrics } from '../domain/metrics.ts'
import { registerDeploymentGauges } from './deploymentGauges.ts'
import { makeMeasures } from './measures.ts'
import type { MonitoredServices } from './monitoredServices.ts'
import { registerProcessGauges } from './processGauges.ts'

/** `watch` adds what only services can tell, once they stand; `version` and `roles` say whose figures these are. */
export type OpenedMetrics = {
  metrics: Metrics
  watch(services: MonitoredServices, process: { version: string; roles: readonly string[] }): void
}

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
      registerProcessGauges(services, registry, process)
      registerDeploymentGauges(services, registry)
    },
  }
}
