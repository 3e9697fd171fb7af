import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cluster, makeCluster, startService } from '../chaos/cluster.ts'
import type { PostgresPrograms } from '../chaos/machine.ts'
import { makeServiceProcess, type ServiceProcess, serviceToken } from '../chaos/serviceProcess.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { openReadyBalancer, type ReadyBalancer } from '../rollout/readyBalancer.ts'
import { falUnderTest, startFal } from '../vendors/fal.ts'
import { type CredentialGateway, startCredentialGateway } from './credentialGateway.ts'
import { startMemoryS3 } from './memoryS3.ts'

/** The secrets of a deployment, as its processes get them. */
export type Secrets = {
  secretKey: string
  serviceToken: string
  databaseUser: string
  databasePassword: string
  falKey: string
  storageKey: string
}

export type SecretStage = {
  cluster: Cluster
  balancer: ReadyBalancer
  vendor: CredentialGateway
  storage: CredentialGateway
  firstSecretKey: string
  /** Restarts one process after another with changed secrets, and waits until each is ready. */
  restartWith(changes: Partial<Secrets>): Promise<void>
  close(): Promise<void>
}

export const makeSecretKey = () => randomBytes(32).toString('base64')

/** Requires a password of every role but the superuser. */
const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'

/** Starts two `serve` and two `work` behind a balancer, with a database, a bucket and a vendor that check credentials. */
export async function openSecretStage(programs: PostgresPrograms): Promise<SecretStage> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-secrets-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    await chmod(folder, 0o711)
    await mkdir(join(folder, 'database'))
    const firstSecretKey = makeSecretKey()
    let secrets: Secrets = {
      secretKey: firstSecretKey,
      serviceToken,
      databaseUser: 'atelier',
      databasePassword: 'first-password',
      falKey: 'fal-key-id:first',
      storageKey: 'FIRSTACCESSKEY',
    }
    const cluster = await makeCluster(programs, join(folder, 'database'))
    closers.push(() => cluster.break('immediate'))
    await startService(cluster)
    await cluster.ask(`alter role atelier password '${secrets.databasePassword}'`)
    await writeFile(join(cluster.folder, 'pg_hba.conf'), rules)
    await cluster.ask('select pg_reload_conf()')
    const [s3, fal] = [await startMemoryS3(), await startFal()]
    closers.push(
      () => s3.close(),
      () => fal.close(),
    )
    const storage = await startCredentialGateway({ target: s3.url, credentialOf: accessKeyOf })
    const replaces = { authorization: `Key ${falUnderTest.key}` }
    const vendor = await startCredentialGateway({
      target: fal.url,
      credentialOf: ({ authorization }) => authorization?.replace('Key ', ''),
      replaces,
    })
    closers.push(
      () => storage.close(),
      () => vendor.close(),
    )
    storage.accept(secrets.storageKey)
    vendor.accept(secrets.falKey)

    const balancer = openReadyBalancer()
    closers.push(() => balancer.close())
    const processes: ServiceProcess[] = []
    for (const [role, number] of [
      ['serve', 1],
      ['work', 1],
      ['serve', 2],
      ['work', 2],
    ] as const) {
      const place = { target: undefined, url: `s3://atelier?endpoint=${storage.url}` }
      const env = commonEnv(vendor.url)
      const one = await makeServiceProcess(role, `${role}-${number}`, { folder, database: cluster, storage: place, env })
      closers.push(() => one.close())
      processes.push(one)
    }
    const startOne = async (one: ServiceProcess) => {
      await one.start(envOf(secrets, one))
      while (one.name.startsWith('serve') && !balancer.isReady(one)) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const one of processes) {
      if (one.name.startsWith('serve')) balancer.add(one)
      await startOne(one)
    }
    const restartWith = async (changes: Partial<Secrets>) => {
      secrets = { ...secrets, ...changes }
      for (const one of processes) {
        await one.stop()
        await startOne(one)
      }
    }
    return { cluster, balancer, vendor, storage, firstSecretKey, restartWith, close }
  } catch (error) {
    await close()
    throw error
  }
}

function commonEnv(falUrl: string): Record<string, string> {
  return {
    FAL_QUEUE_URL: falUrl,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_FIRST_RETRY_SECONDS: '1',
    AWS_SECRET_ACCESS_KEY: 'any',
    LOG_LEVEL: 'info',
  }
}

function envOf(secrets: Secrets, { toDatabase }: ServiceProcess): Record<string, string> {
  const { databaseUser, databasePassword } = secrets
  return {
    SECRET_KEY: secrets.secretKey,
    SERVICE_TOKEN: secrets.serviceToken,
    DATABASE_URL: `postgresql://${databaseUser}:${databasePassword}@127.0.0.1:${toDatabase.port}/atelier`,
    FAL_KEY: secrets.falKey,
    AWS_ACCESS_KEY_ID: secrets.storageKey,
  }
}

function accessKeyOf({ authorization = '' }: { authorization?: string | undefined }): string | undefined {
  return /Credential=([^/]+)\//.exec(authorization)?.[1]
}
