import { setTimeout as pause } from 'node:timers/promises'
import type { ListenerConfig } from '../../config/listeners.ts'
import type { Config } from '../../config/readConfig.ts'
import { newId } from '../../contract/ids.ts'
import { keepAlive } from '../../database/liveness/liveness.ts'
import { connectionBudget, type ProcessRole, poolMaxOf } from '../../domain/connectionBudget.ts'
import type { Log, Services } from '../../domain/context.ts'
import { unservedQueues } from '../../domain/unservedQueues.ts'
import type { RouteGroup } from '../../http/routeGroup.ts'
import type { Worker, WorkerOptions } from '../../jobs/runners/worker.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import { version } from '../version.ts'
import { listenersOf, publicUrlOf } from './listeners.ts'
import { openServices } from './openServices.ts'
import { makeReadiness } from './readiness.ts'
import { type StartPhases, silentPhases } from './startPhases.ts'

/** The running process. `stop` closes the servers and ends the jobs first, then closes the services. */
export type Running = {
  services: Services
  listeners: readonly ListenerConfig[]
  publicUrl: string
  stop(): Promise<void>
  /** Call after `stop`: resolves when no vendor call is pending. */
  drained(): Promise<void>
}

export type RolesOptions = {
  roles: ProcessRole[]
  log: Log
  openProviders?: (services: Services, vendors: Config['vendors']) => ProviderRegistry
  /** Replaces the built admin UI. */
  adminUi?: RouteGroup | undefined
  phases?: StartPhases
}

/** Concurrent jobs of one process; a family gets a share. Jobs mostly wait for a provider, the storage or a child process. */
const jobsAtOnce = 40

/** At shutdown: the time between a failing `/readyz` and closing. */
const unreadyMs = 1000

/** Opens everything and starts the roles in this process. Closes what was opened if a later step fails. */
export async function startRoles(config: Config, options: RolesOptions): Promise<Running> {
  const { roles, log, phases = silentPhases } = options
  preloadModules(roles)
  const listeners = await listenersOf(config)
  const publicUrl = publicUrlOf(config, listeners)
  const opened = await openServices(config, {
    log,
    publicUrl,
    listeners,
    roles,
    poolMax: poolMaxOf(roles, config.poolMax),
    phases,
  })
  const { services, database, report } = opened
  const stops: (() => Promise<unknown>)[] = [opened.close]
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each().catch((error: unknown) => log.warn({ error }, 'stopping failed'))
  }
  try {
    stops.push(await startTelemetry(services, config))
    const processId = newId('proc')
    const queues = roles.includes('worker') ? config.workQueues : []
    const liveness = await keepAlive({ url: database.direct, pool: services.pool, processId, roles, queues, report, log })
    stops.push(() => liveness.close())
    await warnOfConnections(services, { poolMax: config.poolMax, pooled: database.pooled })
    const watch = watchQueues(services)
    stops.push(async () => watch.close())
    let working: Working | undefined
    if (roles.includes('worker')) {
      const databaseUrl = database.direct
      const openProviders = options.openProviders ?? (await import('./openProviders.ts')).openProviders
      const providers = openProviders(services, config.vendors)
      const pools = { onPool: liveness.addWorkerPool, onPoolEnd: liveness.removeWorkerPool }
      const { drainSeconds } = config
      working = await phases.run({
        name: 'jobs',
        run: () => startWorking(services, providers, { databaseUrl, queues, processId, drainSeconds, ...pools }),
        describe: () => `takes ${queues.join(', ')}`,
      })
      stops.push(working.stop)
    }
    if (!roles.includes('http')) {
      const watch = await openMetricsListener(services, config)
      // Monitoring is answered as long as a worker waits for vendors.
      stops.push(() => watch?.stopWith([working?.stop()]) ?? Promise.resolve())
    }
    if (roles.includes('http')) {
      // Imported on demand: a worker starts in half the time without the HTTP code.
      const { startHttp } = await import('./httpRole.ts')
      const http = await phases.run({
        name: 'server',
        run: () => startHttp(services, { config, listeners, processId, readiness: makeReadiness(services), adminUi: options.adminUi }),
        describe: () => listeners.map(({ host, port }) => `listens on ${host}:${port}`).join(', '),
      })
      stops.push(() => Promise.all([http.drain(unreadyMs), working?.stop()]))
    }
    return { services, listeners, publicUrl, stop, drained: async () => working?.drained() }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Logs a warning if the processes that are alive could open more connections than PostgreSQL accepts. */
async function warnOfConnections(services: Services, deployment: Parameters<typeof connectionBudget>[1]): Promise<void> {
  const { limit, open, possible } = await connectionBudget(services, deployment)
  if (possible <= limit) return
  const fields = { connectionsLimit: limit, connectionsOpen: open, connectionsPossible: possible }
  services.log.warn(fields, 'the processes may open more connections than the database accepts: lower DATABASE_POOL_MAX')
}

/** Starts OTLP export if a collector is set; otherwise loads no OpenTelemetry. Runs before HTTP starts, which reads this once. */
async function startTelemetry({ metrics, log }: Services, { telemetry }: Config): Promise<() => Promise<void>> {
  if (telemetry === undefined) return async () => undefined
  const { startTelemetry: start } = await import('../../tracing/openTelemetry.ts')
  const figures = () => metrics.figures()
  const onFault = (reason: string) => log.warn({ reason }, 'traces or metrics were lost')
  const started = start({ ...telemetry, version, figures, onFault })
  return () => started.close()
}

/** Opens the monitoring listener of a process without HTTP, if configured. */
async function openMetricsListener(services: Services, { monitoringAddress }: Config) {
  if (monitoringAddress === undefined) return undefined
  const { openMonitoringListener } = await import('../../http/monitoring/monitoringListener.ts')
  const { metrics, log } = services
  const watch = await openMonitoringListener({ ...monitoringAddress, metrics, log, readiness: makeReadiness(services) })
  log.info({ host: monitoringAddress.host, port: watch.port }, 'the monitoring listener is open')
  return {
    async stopWith(others: (Promise<void> | undefined)[]): Promise<void> {
      watch.leave()
      try {
        await Promise.all([pause(unreadyMs), ...others])
      } finally {
        await watch.close()
      }
    },
  }
}

/** Imports modules while the database starts. An error here occurs again at the regular import. */
function preloadModules(roles: ProcessRole[]): void {
  const loading = [
    ...(roles.includes('worker') ? [import('../../jobs/runners/worker.ts')] : []),
    ...(roles.includes('http') ? [import('./httpRole.ts')] : []),
  ]
  void Promise.allSettled(loading)
}

type Working = Pick<Worker, 'stop' | 'drained'>

/** Starts the jobs of this process. `stop` may be called more than once. */
async function startWorking(
  services: Services,
  providers: ProviderRegistry,
  process: Pick<WorkerOptions, 'databaseUrl' | 'queues' | 'processId' | 'drainSeconds' | 'onPool' | 'onPoolEnd'>,
): Promise<Working> {
  const shutdown = new AbortController()
  const { startWorker } = await import('../../jobs/runners/worker.ts')
  const jobs = { services, providers, shutdown: shutdown.signal }
  const worker = await startWorker(jobs, { pool: services.pool, concurrency: jobsAtOnce, ...process })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    shutdown.abort()
    await worker.stop()
    await providers.close()
  }
  return { stop: () => (stopped ??= stop()), drained: worker.drained }
}

const everyMs = 30_000

/** Logs when a queue has due work and no live process serves it, and when one serves it again. */
function watchQueues(services: Pick<Services, 'pool' | 'log'>, pollIntervalMs = everyMs): { close(): void } {
  const { log } = services
  let logged = ''
  const check = async () => {
    const queues = await unservedQueues(services)
    const names = queues.join(', ')
    if (names === logged) return
    logged = names
    if (names === '') log.info({}, 'every queue with due work is served again')
    else log.warn({ queues }, 'no live process serves these queues, which have due work: see WORK_QUEUES')
  }
  const timer = setInterval(() => void check().catch(() => undefined), pollIntervalMs).unref()
  return { close: () => clearInterval(timer) }
}
