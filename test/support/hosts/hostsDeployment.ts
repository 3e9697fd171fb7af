import { chmod, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBucket } from '../../../scripts/drills/createBucket.ts'
import { startGateway } from '../../../scripts/drills/radosGateway.ts'
import { writeBillingCatalog } from '../billing/billingCatalog.ts'
import { type BillingVendor, startBillingVendor } from '../billing/billingVendor.ts'
import { type Cluster, makeCluster, makeStandby, startService } from '../chaos/cluster.ts'
import { commonEnv } from '../chaos/deployment.ts'
import type { Machine } from '../chaos/machine.ts'
import { makeServiceProcess, type ServiceProcess } from '../chaos/serviceProcess.ts'
import { startTcpProxy, type Target, type TcpProxy } from '../chaos/tcpProxy.ts'
import { type Pgbouncer, startPgbouncer } from '../database/pgbouncer.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { addresses, type HostsNetwork, networkBlock, openNetwork } from './network.ts'

/**
 * Host A has PostgreSQL, PgBouncer, S3, a `serve` and a `work`; host B has the replica, a `serve` and a `work`. Both hosts have the same
 * settings. B reaches the services of A over a bad line; callers, the vendor and receivers reach both hosts over a clean network.
 */
export type HostsDeployment = {
  kind: 'hosts'
  network: HostsNetwork
  /** Of A and of B. */
  servers: [ServiceProcess, ServiceProcess]
  workers: [ServiceProcess, ServiceProcess]
  /** The processes on B. */
  victims: ServiceProcess[]
  database: { cluster: Cluster; target: Target }
  pooler: Pgbouncer
  replica: Cluster
  storage: TcpProxy
  storageFolder: undefined
  vendor: BillingVendor
  env: Record<string, string>
  copyLogs(folder: string): Promise<void>
  close(): Promise<void>
}

const bucket = 'atelier-hosts'
const password = 'a-password-of-the-role'
/** As docs/database.md#a-pooler says. */
const poolerSettings = { default_pool_size: 20, server_login_retry: 1, tcp_keepidle: 60, tcp_keepintvl: 10, tcp_keepcnt: 6 }
const deadlineSeconds = 120
const vendorSeconds = [0.2, 1, 3, 6, 12]

type Closers = (() => Promise<unknown>)[]

/** Starts everything on both hosts. Closes everything when a step fails. */
export async function openHosts(machine: Machine): Promise<HostsDeployment> {
  const closers: Closers = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const folder = await mkdtemp(join(memoryFolder(), 'atelier-hosts-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    // The account of PostgreSQL must be able to enter it.
    await chmod(folder, 0o711)
    const network = await openNetwork()
    closers.push(() => network.close())
    const databases = await openDatabases(machine, network, { folder, closers })
    const { storage, env: storageEnv } = await openStorage(closers)
    const vendor = await startBillingVendor({ secondsOf: vendorSecondsOf, handleSeconds: 0.2, host: addresses.a.open })
    closers.push(() => vendor.close())
    const catalog = join(folder, 'catalog')
    await writeBillingCatalog(catalog, { deadlineSeconds, withSandbox: true })
    const env = {
      ...commonEnv,
      ...databases.env,
      ...storageEnv,
      ...vendor.env,
      CATALOG_PATH: catalog,
      BASE_URL: 'http://atelier.example.com',
      HOST: '0.0.0.0',
      ALLOWED_PRIVATE_ADDRESSES: networkBlock,
    }
    const make = async (role: 'serve' | 'work', host: 'a' | 'b') => {
      const wrapper = host === 'b' ? network.onB() : []
      const target = { port: databases.cluster.port }
      const own = { folder, database: target, storage: { target: undefined, url: '' }, env, wrapper, host: addresses[host].open }
      const one = await makeServiceProcess(role, `${role}-${host}`, own)
      closers.push(() => one.close())
      return one
    }
    const servers: HostsDeployment['servers'] = [await make('serve', 'a'), await make('serve', 'b')]
    const workers: HostsDeployment['workers'] = [await make('work', 'a'), await make('work', 'b')]
    // The first one migrates the database.
    await servers[0].start()
    await Promise.all([servers[1], ...workers].map((one) => one.start()))
    const { cluster, pooler, replica } = databases
    const database = { cluster, target: { port: cluster.port } }
    const victims = [servers[1], workers[1]]
    return {
      kind: 'hosts',
      network,
      servers,
      workers,
      victims,
      database,
      pooler,
      replica,
      storage,
      storageFolder: undefined,
      vendor,
      env,
      copyLogs: (to) => copyLogs(folder, to),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function copyLogs(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) if (name.endsWith('.log')) await cp(join(from, name), join(to, name))
}

function vendorSecondsOf(prompt: string): number {
  return vendorSeconds[Number(prompt.split('-').at(-1)) % vendorSeconds.length] ?? 1
}

async function openDatabases({ postgres }: Machine, network: HostsNetwork, { folder, closers }: { folder: string; closers: Closers }) {
  const { baseBackup } = postgres
  if (baseBackup === undefined) throw new Error('there is no pg_basebackup here')
  const place = { trusted: networkBlock, wrapper: (account: typeof postgres.account) => setAccount(account) }
  const paths = { primary: join(folder, 'primary'), replica: join(folder, 'replica'), pooler: join(folder, 'pooler') }
  for (const path of Object.values(paths)) await mkdir(path)
  const cluster = await makeCluster(postgres, paths.primary, { ...place, host: addresses.a.line })
  closers.push(() => cluster.break('immediate'))
  await startService(cluster)
  await cluster.ask(`alter role atelier password '${password}'`)
  // As docs/database.md#a-pooler says.
  for (const setting of ['jit = off', 'statement_timeout = 2430']) {
    await cluster.ask(`alter role atelier in database atelier set ${setting}`)
  }
  const onB = { ...place, host: addresses.b.open, wrapper: network.onB }
  const replica = await makeStandby({ ...postgres, baseBackup }, paths.replica, { host: addresses.a.line, port: cluster.port }, onB)
  closers.push(() => replica.break('immediate'))
  const urlAt = (host: string, port: number) => `postgresql://atelier:${password}@${host}:${port}/atelier`
  const direct = urlAt(addresses.a.line, cluster.port)
  const pooler = await startPgbouncer(direct, paths.pooler, { host: addresses.a.line, settings: poolerSettings })
  closers.push(() => pooler.stop())
  const env = {
    DATABASE_URL: urlAt(addresses.a.line, pooler.port),
    DATABASE_DIRECT_URL: direct,
    DATABASE_REPLICA_URL: urlAt(addresses.b.line, replica.port),
  }
  return { cluster, replica, pooler, env }
}

/** The words before a command that run it as the account, on host A. */
function setAccount(account: { uid: number; gid: number } | undefined): string[] {
  return account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--'] : []
}

/** Ceph's gateway, behind a proxy that can be cut. */
async function openStorage(closers: Closers) {
  const gateway = await startGateway(AbortSignal.timeout(120_000))
  closers.push(() => gateway.stop())
  await createBucket(gateway, bucket, AbortSignal.timeout(60_000))
  const storage = await startTcpProxy({ port: Number(new URL(gateway.endpoint).port) }, addresses.a.line)
  closers.push(() => storage.close())
  const env = {
    AWS_ACCESS_KEY_ID: gateway.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
    STORAGE_URL: `s3://${bucket}?endpoint=http://${addresses.a.line}:${storage.port}`,
  }
  return { storage, env }
}
