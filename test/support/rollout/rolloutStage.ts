import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { loadHistory } from '../../../bench/support/loadHistory.ts'
import { type Cluster, makeCluster, startService } from '../chaos/cluster.ts'
import type { PostgresPrograms } from '../chaos/machine.ts'
import type { ChaosTeam } from '../chaos/operator.ts'
import { makeServiceProcess, type ServiceProcess, serviceToken } from '../chaos/serviceProcess.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { checkOut, type Release } from './previousRelease.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** The processes of one release, in the order of their start and stop: `serve`, `work`, and so on. */
export type Side = { name: 'old' | 'new'; checkout: string; processes: ServiceProcess[] }

/** One database and one storage, and processes of both releases that use them, none of them started. The
 * previous release has made the tables. */
export type RolloutStage = {
  cluster: Cluster
  old: Side
  new: Side
  /** Adds a history of this many generations with deliveries and attempts; a tenth of it for one of the teams. */
  seed(teams: [ChaosTeam, ChaosTeam], rows: number): Promise<void>
  /** True if `atelier doctor` of that release reports balanced books. */
  booksBalanced(side: Side): Promise<boolean>
  /** Applied migrations. */
  applied(): Promise<number[]>
  close(): Promise<void>
}

export type StageOptions = { programs: PostgresPrograms; previous: Release; perRole: number }

const storageName = 'objects'

/** Creates everything, with a database of the previous release; cleans up when a step fails. */
export async function openRolloutStage({ programs, previous, perRole }: StageOptions): Promise<RolloutStage> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-rollout-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    // The account of PostgreSQL must be able to enter it.
    await chmod(folder, 0o711)
    for (const name of ['database', storageName]) await mkdir(join(folder, name))
    const cluster = await makeCluster(programs, join(folder, 'database'))
    closers.push(() => cluster.break('immediate'))
    await startService(cluster)
    const env = environment(folder)

    async function sideOf(name: Side['name'], checkout: string): Promise<Side> {
      const processes: ServiceProcess[] = []
      for (let index = 1; index <= perRole; index++) {
        for (const role of ['serve', 'work'] as const) {
          const storage = { target: undefined, url: env.STORAGE_URL }
          const one = await makeServiceProcess(role, `${name}-${role}-${index}`, { folder, database: cluster, storage, env, checkout })
          closers.push(() => one.close())
          processes.push(one)
        }
      }
      return { name, checkout, processes }
    }

    const url = `postgresql://atelier@127.0.0.1:${cluster.port}/atelier`
    const [old, current] = [await sideOf('old', await checkOut(previous)), await sideOf('new', root)]
    // Also when new processes run first, because their own new database lacks objects of the old release.
    await migrate(old, { ...env, DATABASE_URL: url, DATA_DIR: join(folder, 'migrate') })
    return {
      cluster,
      old,
      new: current,
      seed: (teams, rows) => seed(url, teams, rows),
      booksBalanced: ({ checkout }) => doctorPasses(checkout, { ...env, DATABASE_URL: url, DATA_DIR: join(folder, 'doctor') }),
      applied: async () => (await asked<{ version: number }>(url, 'select version from schema_migrations')).map(({ version }) => version),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function environment(folder: string) {
  return {
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_TOKEN: serviceToken,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_FIRST_RETRY_SECONDS: '1',
    LOG_LEVEL: 'info',
    STORAGE_URL: `file://${join(folder, storageName)}`,
  }
}

async function asked<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function seed(url: string, [large, average]: [ChaosTeam, ChaosTeam], rows: number): Promise<void> {
  const measured = async ({ teamId, key, subscriptionId }: ChaosTeam) => {
    const found = await asked<{ accountId: string; keyId: string; userId: string }>(url, accountOf, [teamId])
    return { teamId, key, subscriptionId, ...(found[0] as (typeof found)[0]) }
  }
  const teams = { large: await measured(large), average: await measured(average) }
  await loadHistory(url, { teams: 1_000, generations: rows, deliveries: rows, files: Math.ceil(rows / 100), auditEntries: rows }, teams)
  for (const statement of attempts) await asked(url, statement)
}

const accountOf = `select a.id as "accountId", k.id as "keyId", k.user_id as "userId" from credit_accounts a
  join api_keys k on k.team_id = a.team_id where a.team_id = $1`

const attempts = [
  `insert into generation_attempts (generation_id, number, provider, idempotency_key, intent_at)
    select id, 1, 'sandbox', id || ':1', created_at from generations where state <> 'running' on conflict do nothing`,
  `insert into webhook_attempts (delivery_id, number, begun_at, took_seconds, response_code)
    select id, 1, created_at, 0.1, response_code from webhook_deliveries on conflict do nothing`,
  'analyze',
]

async function migrate({ checkout }: Side, env: Record<string, string>): Promise<void> {
  await run(process.execPath, ['src/cli/main.ts', 'migrate'], {
    cwd: checkout,
    env: { ...env, PATH: process.env['PATH'] },
    timeout: 120_000,
  })
}

async function doctorPasses(checkout: string, env: Record<string, string>): Promise<boolean> {
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', 'doctor'], {
    cwd: checkout,
    env: { ...env, PATH: process.env['PATH'] },
    timeout: 120_000,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  return stdout.includes('ok    books')
}
