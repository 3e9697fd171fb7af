import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Figure, Metrics } from '../domain/metrics.ts'
import type { ProcessReport } from '../domain/processReports.ts'
import { registerDeploymentGauges } from './deploymentGauges.ts'
import { makeMeasures } from './measures.ts'
import { registerMemoryGauges } from './memoryGauges.ts'
import type { MonitoredServices } from './monitoredServices.ts'
import { registerProcessGauges } from './processGauges.ts'
import { makeProcessReport, makeRecentCounts } from './processReport.ts'
import { registerSecretGauge, type SecretFault } from './secretGauge.ts'

/** `watch` registers the gauges that need the services, after their start. `version` and `roles` describe this process. */
export type OpenedMetrics = {
  metrics: Metrics
  /** Returns a function that returns the state of this process. */
  watch(services: MonitoredServices, process: { version: string; roles: readonly string[]; secretFault: SecretFault }): () => ProcessReport
}

/** Creates the metrics of one process and of the whole deployment. docs/monitoring.md lists them; a test compares the two. */
export function makeMetrics(): OpenedMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerMemoryGauges(registry)
  const slowStatements = makeRecentCounts()
  const measures = makeMeasures(registry)
  const metrics: Metrics = {
    ...measures,
    slowStatement: (name) => {
      measures.slowStatement(name)
      slowStatements.add(name)
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    figures: async () => (await registry.getMetricsAsJSON()) as unknown as Figure[],
  }
  return {
    metrics,
    watch(services, process) {
      registerProcessGauges(services, registry, process)
      registerDeploymentGauges(services, registry)
      registerSecretGauge(process.secretFault, registry)
      return makeProcessReport({ isListening: services.notices.isListening, slowStatements: slowStatements.read })
    },
  }
}
