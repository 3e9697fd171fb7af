import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { billingFamilies, writeBillingCatalog } from '../billing/billingCatalog.ts'
import { type Balancer, makeBalancer } from '../chaos/balancer.ts'
import { type Cluster, makeCluster, startService } from '../chaos/cluster.ts'
import { type HookReceiver, startHookReceiver } from '../chaos/hookReceiver.ts'
import { type Machine, mountSmall, unmount } from '../chaos/machine.ts'
import { type ChaosTeam, makeOperator } from '../chaos/operator.ts'
import { makeServiceProcess, type ServiceProcess, serviceToken } from '../chaos/serviceProcess.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { startMonitoring } from './monitoring.ts'
import { type OutageVendor, startOutageVendor } from './outageVendor.ts'
import { startProxyCertificate } from './proxyCertificate.ts'
import { runCommand } from './runCommand.ts'

/** A deployment of one `serve` and one `work`, with what an operator adds: Prometheus with our rules, backups and a proxy. */
export type OutageDeployment = {
  machine: Machine
  folder: string
  cluster: Cluster
  serve: ServiceProcess
  work: ServiceProcess
  receiver: HookReceiver
  vendor: OutageVendor
  /** The settings of both processes and of every command. An outage may change them. */
  env: Record<string, string>
  storageFolder: string
  dataFolder: string
  /** Sets how many days the certificate of the proxy is still valid. */
  certify(days: number): Promise<void>
  /** Runs a command with the settings of the deployment; throws when it fails, unless `mayFail`. */
  command(args: string[], options?: { mayFail?: boolean }): Promise<string>
  /** SQL in the database of the service. */
  sql(text: string): Promise<void>
  start(prompt: string, family?: 'sandbox' | 'vendor'): Promise<number>
  /** The names of the firing alerts. */
  alerts(): Promise<string[]>
  close(): Promise<void>
}

/** SECRET_KEY of the deployment before any outage. */
export const firstSecretKey = Buffer.alloc(32, 7).toString('base64')

const connectionsMax = 40
const [databaseMegabytes, dataMegabytes] = [1024, 64]

/** Starts everything, with a complete and proved backup. Closes everything when a step fails. */
export async function openOutageDeployment(machine: Machine): Promise<OutageDeployment> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const deployment = await open(machine, closers)
    await deployment.command(['backup', '--to', join(deployment.folder, 'backups')])
    await deployment.command(['backup', '--verify', '--to', join(deployment.folder, 'backups')])
    return { ...deployment, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(machine: Machine, closers: (() => Promise<unknown>)[]): Promise<Omit<OutageDeployment, 'close'>> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-outages-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  // The account of PostgreSQL must be able to enter it.
  await chmod(folder, 0o711)
  const [databaseFolder, dataFolder, storageFolder] = ['database', 'data', 'objects'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(storageFolder)
  for (const [path, megabytes] of [
    [databaseFolder, databaseMegabytes],
    [dataFolder, dataMegabytes],
  ] as const) {
    await mountSmall(path, megabytes)
    closers.push(() => unmount(path))
  }
  const cluster = await makeCluster(machine.postgres, databaseFolder)
  closers.push(() => cluster.break('immediate'))
  await startService(cluster)
  await cluster.ask(`alter role atelier createdb connection limit ${connectionsMax}`)
  const [receiver, vendor, proxy] = [await startHookReceiver(), await startOutageVendor(), await startProxyCertificate(folder)]
  closers.push(
    () => receiver.leave(),
    () => vendor.close(),
    () => proxy.close(),
  )
  await writeBillingCatalog(join(folder, 'catalog'), { deadlineSeconds: 120, withSandbox: true })
  // This deployment has no vendor for the family.
  await rm(join(folder, 'catalog', `${billingFamilies.queued}.json`))
  const env: Record<string, string> = {
    ...vendor.env,
    DATABASE_URL: `postgresql://atelier@127.0.0.1:${cluster.port}/atelier`,
    STORAGE_URL: `file://${storageFolder}`,
    DATA_DIR: dataFolder,
    CATALOG_PATH: join(folder, 'catalog'),
    BASE_URL: proxy.url,
    SECRET_KEY: firstSecretKey,
    SERVICE_TOKEN: serviceToken,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    WEBHOOK_FIRST_RETRY_SECONDS: '1',
    DATABASE_POOL_MAX: '6',
    // A slow machine is none of the outages.
    SLOW_STATEMENT_MS: '60000',
    LOG_LEVEL: 'warn',
  }
  const target = { port: cluster.port }
  const program = ['bin/atelier.js']
  const storage = { target: undefined, url: `file://${storageFolder}` }
  const processOf = async (role: 'serve' | 'work') => {
    const made = await makeServiceProcess(role, role, { folder, database: target, storage, env, program })
    closers.push(() => made.close())
    return made
  }
  const [serve, work] = [await processOf('serve'), await processOf('work')]
  await serve.start()
  env['METRICS_PORT'] = String(work.port)
  await work.start(env)
  delete env['METRICS_PORT']
  const balancer = makeBalancer([serve])
  const teams = await makeTeams(balancer, receiver)
  let starts = 0
  const monitoring = await startMonitoring(folder, { serve: serve.port, work: work.port, dataFolder, certificate: proxy.end })
  closers.push(() => monitoring.close())
  return {
    ...{ machine, folder, cluster, serve, work, receiver, vendor, env, storageFolder, dataFolder },
    certify: proxy.certify,
    command: (args, options) => runCommand(args, env, options),
    async sql(text) {
      const client = new pg.Client({ host: '127.0.0.1', port: cluster.port, user: 'postgres', database: 'atelier' })
      await client.connect()
      await client.query(text).finally(() => client.end())
    },
    async start(prompt, family = 'sandbox') {
      const familyId = family === 'sandbox' ? 'sandbox-image' : billingFamilies.synchronous
      const response = await fetch(`http://127.0.0.1:${serve.port}/api/v1/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${teams[starts++ % teams.length]?.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ familyId, prompt }),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined)
      return response?.status ?? 0
    },
    alerts: monitoring.firing,
  }
}

/** Three teams with a receiver each: the fewest whose failures `doctor` takes for a fault of the deployment. */
async function makeTeams(balancer: Balancer, receiver: HookReceiver): Promise<ChaosTeam[]> {
  const names = ['first', 'second', 'third']
  const teams = await Promise.all(names.map((name) => makeOperator(balancer).makeTeam(name, receiver.addressOf(name))))
  for (const [at, { signingSecret }] of teams.entries()) receiver.expect(names[at] ?? '', signingSecret)
  return teams
}
