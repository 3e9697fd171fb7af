import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { writeBillingCatalog } from '../billing/billingCatalog.ts'
import { type BillingVendor, startBillingVendor } from '../billing/billingVendor.ts'
import { type Balancer, makeBalancer } from '../chaos/balancer.ts'
import { type Cluster, makeCluster, startService } from '../chaos/cluster.ts'
import { commonEnv } from '../chaos/deployment.ts'
import { type HookReceiver, startHookReceiver } from '../chaos/hookReceiver.ts'
import { probeMachine } from '../chaos/machine.ts'
import { type ChaosTeam, makeOperator, type Operator } from '../chaos/operator.ts'
import { makeServiceProcess, type ServiceProcess } from '../chaos/serviceProcess.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'

export type DrillOptions = {
  workers: number
  /** Duration of each work at the vendor, and the family's deadline. */
  workSeconds: number
  deadlineSeconds: number
  /** Limit of concurrent work per family at the vendor; none if absent. */
  atOnce?: number
}

/** One `serve` and some `work` processes, on a separate PostgreSQL, and a billing vendor. */
export type DrillStage = {
  options: DrillOptions
  vendor: BillingVendor
  cluster: Cluster
  balancer: Balancer
  operator: Operator
  /** The current workers; a drill may replace them. */
  workers: ServiceProcess[]
  storageFolder: string
  /** Starts another worker of the stage. */
  addWorker(): Promise<ServiceProcess>
  makeTeam(name: string): Promise<ChaosTeam>
  /** Runs one statement in the service's database, repeated until it succeeds. */
  ask<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export async function openDrillStage(options: DrillOptions): Promise<DrillStage> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const folder = await mkdtemp(join(memoryFolder(), 'atelier-drill-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const cluster = await openCluster(closers)
    const vendor = await startBillingVendor({ secondsOf: () => options.workSeconds, handleSeconds: 0.2 })
    closers.push(() => vendor.close())
    const receiver = await startHookReceiver()
    closers.push(() => receiver.leave())
    const catalog = join(folder, 'catalog')
    await writeBillingCatalog(catalog, options)
    const storageFolder = join(folder, 'objects')
    await mkdir(storageFolder)
    const env = { ...commonEnv, ...vendor.env, CATALOG_PATH: catalog, OPEN_GENERATIONS_MAX: '100000' }
    const add = processAdder({ folder, cluster, storageFolder, env }, closers)
    const server = await add('serve')
    const workers = await Promise.all(Array.from({ length: options.workers }, () => add('work')))
    const balancer = makeBalancer([server])
    const operator = makeOperator(balancer)
    return {
      options,
      vendor,
      cluster,
      balancer,
      operator,
      workers,
      storageFolder,
      addWorker: () => add('work'),
      makeTeam: (name) => makeTeam(operator, receiver, name),
      ask: asker(cluster, closers),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Closers = (() => Promise<unknown>)[]

async function openCluster(closers: Closers): Promise<Cluster> {
  const { postgres } = await probeMachine()
  const own = await mkdtemp(join(memoryFolder(), 'atelier-drill-postgres-'))
  closers.push(() => rm(own, { recursive: true, force: true }))
  const cluster = await makeCluster(postgres, own)
  closers.push(() => cluster.break('immediate'))
  await startService(cluster)
  return cluster
}

type Places = { folder: string; cluster: Cluster; storageFolder: string; env: Record<string, string> }

function processAdder({ folder, cluster, storageFolder, env }: Places, closers: Closers) {
  let count = 0
  return async (role: 'serve' | 'work'): Promise<ServiceProcess> => {
    const one = await makeServiceProcess(role, `${role}-${++count}`, {
      folder,
      database: { port: cluster.port },
      storage: { target: undefined, url: `file://${storageFolder}` },
      env,
    })
    // Its further output is ignored.
    closers.push(async () => {
      await one.kill()
      await one.close()
    })
    await one.start()
    return one
  }
}

async function makeTeam(operator: Operator, receiver: HookReceiver, name: string): Promise<ChaosTeam> {
  const team = await operator.makeTeam(name, receiver.addressOf(name))
  receiver.expect(name, team.signingSecret)
  return team
}

const askAttempts = 60
const askPauseMs = 500

function asker({ port }: Cluster, closers: Closers): DrillStage['ask'] {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'atelier', database: 'atelier', max: 2 })
  pool.on('error', () => undefined)
  closers.push(() => pool.end())
  return async (text, values = []) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await pool.query(text, values)).rows
      } catch (error) {
        if (attempt === askAttempts) throw error
        await pause(askPauseMs)
      }
    }
  }
}
