import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBucket } from '../../../scripts/drills/createBucket.ts'
import { startGateway } from '../../../scripts/drills/radosGateway.ts'
import { writeBillingCatalog } from '../billing/billingCatalog.ts'
import { type BillingVendor, startBillingVendor } from '../billing/billingVendor.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { type Cluster, makeCluster, makeStandby, startService } from './cluster.ts'
import { billedSecondsOf } from './load.ts'
import { type Machine, mountSmall, unmount } from './machine.ts'
import { makeServiceProcess, type ServiceProcess, serviceToken } from './serviceProcess.ts'
import { startTcpProxy, type Target, type TcpProxy } from './tcpProxy.ts'

/** The infrastructure: storage on disk or in S3, with or without a standby. */
export type DeploymentKind = 'disk' | 's3' | 'standby' | 'synchronous'

/**
 * Three `serve` and three `work` processes, on one PostgreSQL and one storage. The first of each kind gets the faults. Their models
 * are those of the sandbox and of a billing vendor.
 */
export type Deployment = {
  kind: DeploymentKind
  servers: ServiceProcess[]
  workers: ServiceProcess[]
  /** One that serves and one that works. */
  victims: ServiceProcess[]
  database: { cluster: Cluster; target: Target; folder: string }
  standby: { cluster: Cluster; line: TcpProxy } | undefined
  /** The folder of objects, on a separate small file system if possible; absent with S3. */
  storageFolder: string | undefined
  vendor: BillingVendor
  env: Record<string, string>
  close(): Promise<void>
}

const perRole = 3
const dataMegabytes = 64
const storageMegabytes = 256
const databaseMegabytes = 1024
const bucket = 'atelier-chaos'
const billedDeadlineSeconds = 120

/** Starts everything and waits until all six processes are ready. Closes everything when a step fails. */
export async function openDeployment(kind: DeploymentKind, machine: Machine): Promise<Deployment> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const folder = await mkdtemp(join(memoryFolder(), 'atelier-chaos-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    // The account of PostgreSQL must be able to enter it.
    await chmod(folder, 0o711)
    const smallFolder = async (name: string, megabytes: number) => {
      const path = join(folder, name)
      await mkdir(path)
      if (!machine.mounts) return path
      await mountSmall(path, megabytes)
      closers.push(() => unmount(path))
      return path
    }
    const database = await openDatabase(machine, await smallFolder('database', databaseMegabytes), closers)
    const standby = kind === 'disk' || kind === 's3' ? undefined : await openStandby(kind, machine, { folder, database, closers })
    const { storage, storageFolder, env: storageEnv } = await openStorage(kind, smallFolder, closers)
    const vendor = await startBillingVendor({ secondsOf: billedSecondsOf, handleSeconds: 0.2 })
    closers.push(() => vendor.close())
    const catalog = join(folder, 'catalog')
    await writeBillingCatalog(catalog, { deadlineSeconds: billedDeadlineSeconds, withSandbox: true })
    const env = { ...commonEnv, ...storageEnv, ...vendor.env, CATALOG_PATH: catalog }
    const made = async (role: 'serve' | 'work', index: number) => {
      const name = `${role}-${index + 1}`
      if (index === 0) await smallFolder(name, dataMegabytes)
      const one = await makeServiceProcess(role, name, { folder, database: database.target, storage, env })
      closers.push(() => one.close())
      return one
    }
    const servers: ServiceProcess[] = []
    const workers: ServiceProcess[] = []
    for (let index = 0; index < perRole; index++) {
      servers.push(await made('serve', index))
      workers.push(await made('work', index))
    }
    await Promise.all([...servers, ...workers].map((one) => one.start()))
    const victims = [servers[0], workers[0]].filter((one) => one !== undefined)
    return { kind, servers, workers, victims, database, standby, storageFolder, vendor, env, close }
  } catch (error) {
    await close()
    throw error
  }
}

export const commonEnv = {
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_TOKEN: serviceToken,
  ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
  RATE_LIMIT_PER_MINUTE: '1000000',
  CONCURRENT_REQUESTS_MAX: '10000',
  OPEN_GENERATIONS_MAX: '1000000',
  WEBHOOK_FIRST_RETRY_SECONDS: '1',
  LOG_LEVEL: 'warn',
}

type Closers = (() => Promise<unknown>)[]

async function openDatabase({ postgres }: Machine, folder: string, closers: Closers): Promise<Deployment['database']> {
  const cluster = await makeCluster(postgres, folder)
  closers.push(() => cluster.break('immediate'))
  await startService(cluster)
  return { cluster, target: { port: cluster.port }, folder }
}

async function openStandby(
  kind: DeploymentKind,
  { postgres }: Machine,
  { folder, database, closers }: { folder: string; database: Deployment['database']; closers: Closers },
): Promise<NonNullable<Deployment['standby']>> {
  const { baseBackup } = postgres
  if (baseBackup === undefined) throw new Error('there is no pg_basebackup here')
  const line = await startTcpProxy({ port: database.cluster.port })
  closers.push(() => line.close())
  const path = join(folder, 'standby')
  await mkdir(path)
  const cluster = await makeStandby({ ...postgres, baseBackup }, path, line)
  closers.push(() => cluster.break('immediate'))
  if (kind === 'synchronous') {
    await database.cluster.ask(`alter system set synchronous_standby_names = 'standby'`)
    await database.cluster.ask(`alter system set synchronous_commit = 'remote_apply'`)
    await database.cluster.ask('select pg_reload_conf()')
  }
  return { cluster, line }
}

async function openStorage(kind: DeploymentKind, smallFolder: (name: string, megabytes: number) => Promise<string>, closers: Closers) {
  if (kind !== 's3') {
    const storageFolder = await smallFolder('objects', storageMegabytes)
    return { storage: { target: undefined, url: `file://${storageFolder}` }, storageFolder, env: {} }
  }
  const gateway = await startGateway(AbortSignal.timeout(120_000))
  closers.push(() => gateway.stop())
  await createBucket(gateway, bucket, AbortSignal.timeout(60_000))
  const env = { AWS_ACCESS_KEY_ID: gateway.accessKeyId, AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey }
  const target = { port: Number(new URL(gateway.endpoint).port) }
  return { storage: { target, url: `s3://${bucket}?endpoint=http://127.0.0.1:{port}` }, storageFolder: undefined, env }
}
