import { mkdir, rm } from 'node:fs/promises'
import { type Config, type Command, readConfig } from '../config/readConfig.ts'
import { keepAlive } from '../database/liveness.ts'
import type { Log } from '../domain/context.ts'
import { newId } from '../domain/ids.ts'
import { startWorker } from '../jobs/worker.ts'
import { firstGeneration, makeDemoTeam } from './demoTeam.ts'
import { startHttp } from './httpRole.ts'
import { listenersOf, publicUrlOf } from './listening.ts'
import { makeLogger } from './logger.ts'
import { openServices } from './openServices.ts'
import { openProviders } from './providers.ts'
import { makeReadiness } from './readiness.ts'
import { endingSignal } from './signals.ts'

type Role = 'http' | 'worker'

export const start = () => run('start', ['http', 'worker'])
export const serve = () => run('serve', ['http'])
export const work = () => run('work', ['worker'])

/** Jobs side by side in one process. Most of their time is waiting for a provider, the storage or a child process. */
const jobsAtOnce = 10
const poolMax = { http: 10, worker: 12 }
/** A shutdown that takes longer is cut short. */
const shutdownMs = 14_000

/** Runs the roles in this process until it is told to end. Contract: section 1. */
async function run(command: Command, roles: Role[]): Promise<number> {
  const config = readConfig(process.env, { command })
  const log = makeLogger({ level: config.logLevel })
  const ending = endingSignal()
  const stop = await startRoles(config, roles, log)
  const signal = await ending
  log.info({ signal }, 'shutting down')
  setTimeout(() => process.exit(1), shutdownMs).unref()
  await stop()
  return 0
}

async function startRoles(config: Config, roles: Role[], log: Log): Promise<() => Promise<void>> {
  const listeners = await listenersOf(config)
  const publicUrl = publicUrlOf(config, listeners)
  await mkdir(config.dataFolder, { recursive: true })
  const opened = await openServices(config, { log, publicUrl, poolMax: roles.reduce((sum, role) => sum + poolMax[role], 0) })
  const { services } = opened
  const stops: (() => Promise<unknown>)[] = [opened.close, () => rm(services.settings.temporaryFolder, { recursive: true, force: true })]
  const stop = async () => {
    for (const each of stops.toReversed()) await each().catch((error: unknown) => log.warn({ error }, 'stopping failed'))
  }
  try {
    const processId = newId('proc')
    const liveness = await keepAlive({ url: opened.databaseUrl, processId, roles, log })
    stops.push(() => liveness.close())
    if (roles.includes('worker')) {
      const shutdown = new AbortController()
      const providers = openProviders(services)
      stops.push(() => providers.close())
      const worker = await startWorker(
        { services, providers, shutdown: shutdown.signal },
        { pool: services.pool, concurrency: jobsAtOnce, onPool: (poolId) => liveness.setWorkerPool(poolId) },
      )
      stops.push(() => {
        shutdown.abort()
        return worker.stop()
      })
    }
    if (roles.includes('http')) {
      const http = await startHttp(services, { config, listeners, processId, readiness: makeReadiness(services) })
      stops.push(() => http.drain())
      const demoKey = config.database.kind === 'embedded' ? await makeDemoTeam(services) : undefined
      announce(publicUrl, demoKey)
    } else process.stdout.write('ready, working\n')
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** The lines that a person, or a script, waits for. Contract: section 1. */
function announce(publicUrl: string, demoKey: string | undefined): void {
  process.stdout.write(`ready ${publicUrl}/api/v1\n`)
  if (demoKey === undefined) return
  process.stdout.write(`demo key: ${demoKey}\n\nA first image, to paste:\n${firstGeneration(publicUrl, demoKey)}\n`)
}
