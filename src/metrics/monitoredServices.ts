import type { Services } from '../domain/context.ts'

/** What gauges read when they are asked; without the metrics themselves, which stand among the services. */
export type MonitoredServices = Omit<Services, 'metrics'>
