import type { Services } from '../domain/context.ts'

/** The services that gauges read at each scrape: all except the metrics. */
export type MonitoredServices = Omit<Services, 'metrics'>
