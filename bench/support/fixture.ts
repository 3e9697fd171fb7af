import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLogger } from '../../src/cli/boot/logger.ts'
import { openServices } from '../../src/cli/boot/openServices.ts'
import { readConfig } from '../../src/config/readConfig.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { createUser } from '../../src/domain/access/people/users.ts'
import { accountIdOf } from '../../src/domain/access/spender.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { createTeam } from '../../src/domain/access/teams/teams.ts'
import { type Context, contextFor } from '../../src/domain/context.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { scopes } from '../../src/entities/ApiKey.ts'
import { vendors } from '../../src/providers/vendors.ts'

/** A team with credits, and a key of its owner. */
export type BenchTeam = { key: string; keyId: string; userId: string; teamId: string; accountId: string }

/** The environment of the rows: PostgreSQL with default settings, a vendor, and a team. */
export type Fixture = BenchTeam & {
  env: NodeJS.ProcessEnv
  folder: string
  /** The data folder of PostgreSQL. */
  clusterFolder: string
  databaseUrl: string
  /** The process of the vendor; see ../processes/vendor.ts. */
  vendorPid: number
  /** All teams; the first is the one above. */
  teams: BenchTeam[]
  close(): Promise<void>
}

const catalogFolder = join(import.meta.dirname, '..', 'catalog')

type FixtureOptions = { postgresPrograms?: string; settings?: Record<string, string>; teams?: number }

/**
 * `postgresPrograms`: a folder of PostgreSQL programs, instead of those of the package. `settings`: override the server's defaults.
 * `teams`: the number of teams, by default 1.
 */
export async function openFixture({ postgresPrograms, settings = {}, teams: count = 1 }: FixtureOptions = {}): Promise<Fixture> {
  const log = makeLogger({ level: 'error' })
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'))
  // Programs before PostgreSQL 16 return to their working folder by its path, and their account needs access to it.
  if (postgresPrograms !== undefined) await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), programs: postgresPrograms, settings, log })
  const vendor = await startProcess(new URL('../processes/vendor.ts', import.meta.url), { PATH: process.env['PATH'] })
  const env = {
    ...process.env,
    BASE_URL: '',
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '1000000',
    CONCURRENT_REQUESTS_MAX: '10000',
    OPEN_GENERATIONS_MAX: '1000000',
    LOG_LEVEL: 'error',
    CATALOG_PATH: catalogFolder,
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${vendor.firstMessage}/v1`,
    FAL_KEY: 'bench',
    FAL_QUEUE_URL: String(vendor.firstMessage),
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
  }
  const opened = await openServices(readConfig(env, { command: 'work', vendors }), {
    log,
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 2,
  })
  const context = contextFor(opened.services, { kind: 'service' })
  const team = await makeTeam(context, 'bench')
  const teams = [team]
  while (teams.length < count) teams.push(await makeTeam(context, `bench${teams.length}`))
  await opened.close()
  return {
    env,
    folder,
    clusterFolder: join(folder, 'postgres', 'cluster'),
    databaseUrl: postgres.url,
    vendorPid: vendor.child.pid ?? 0,
    ...team,
    teams,
    close: async () => {
      await vendor.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** `name` is also the local part of the owner's address. */
export async function makeTeam(context: Context, name: string): Promise<BenchTeam> {
  const team = await createTeam(context, { name })
  const user = await createUser(context, { email: `${name}@example.com`, name })
  await setTeamMember(context, { teamId: team.id, userId: user.id, role: 'owner' })
  await grantCredits(context, { teamId: team.id, credits: 100_000_000, note: name, idempotencyKey: name })
  const { apiKey, value } = await issueKey(context, { teamId: team.id, userId: user.id, name, scopes })
  return { key: value, keyId: apiKey.id, userId: user.id, teamId: team.id, accountId: accountIdOf(team.id) }
}

/**
 * Starts a program that is compared with the service, or that the service needs, on Node without options. `firstMessage`: the message by
 * which it reports that it is ready.
 */
export async function startProcess(
  file: URL,
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; firstMessage: unknown; stop(): Promise<void> }> {
  const child = fork(file, { env, execArgv: [] })
  const [firstMessage] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file.pathname} did not start`))),
  ])
  return {
    child,
    firstMessage,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
