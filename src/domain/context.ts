import type { SqlEntityManager } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import type { DocUrls } from '../contract/docUrl.ts'
import { isOutdatedPlan } from '../database/pool/pool.ts'
import type { Generation } from '../entities/Generation.ts'
import type { Inspector } from '../media/inspector.ts'
import type { Cidr } from '../network/addresses.ts'
import type { OwnAddresses } from '../network/ownAddresses.ts'
import type { KeyRing } from '../secrets/keyRing.ts'
import type { Storage } from '../storage/storage.ts'
import type { Actor } from './access/actor.ts'
import type { FamilyOverrides } from './access/availability/familyOverrides.ts'
import type { TeamFamilyCache } from './access/availability/teamFamilyCache.ts'
import type { Catalog } from './catalog/loadCatalog.ts'
import type { Metrics } from './metrics.ts'
import type { Notices } from './notices.ts'
import type { History } from './readRouter.ts'
import { bindSql, refusalOf, type Sql } from './sql.ts'
import type { Breakers } from './vendors/breakers.ts'
import type { Load } from './vendors/providerLimits.ts'

/** The database's clock, by which everything happens that is written down or runs out. */
export type Clock = { now(): Date }

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The numbers and addresses that an operator sets. */
export type Settings = {
  publicUrl: string
  requestsPerMinute: number
  requestsInProgress: number
  /** So many open generations may a team have in one family. */
  openGenerationsMax: number
  /** What a team's files that no generation has used may be together. */
  unusedFilesMax: { bytes: number; files: number }
  webhookFirstRetrySeconds: number
  /** After how many days whole months of generations are forgotten; never when unset. */
  historyRetentionDays: number | undefined
  /** What operators limit at each provider. */
  vendorLoads: ReadonlyMap<string, Load>
  allowedPrivateAddresses: readonly Cidr[]
  /** Where the deployment itself is reached. */
  ownAddresses: OwnAddresses
  temporaryFolder: string
}

/** What lives as long as the process. */
export type Services = {
  pool: Pool
  rootEm: SqlEntityManager
  /** An entity manager whose statements go over that connection, and take part in its transaction. */
  entityManagerOn(client: PoolClient): SqlEntityManager
  clock: Clock
  log: Log
  metrics: Metrics
  storage: Storage
  catalog: Catalog
  inspector: Inspector
  ring: KeyRing
  notices: Notices
  /** Where lists and logs are read. */
  history: History
  /** An operator's word on which families are available, over their files. */
  familyOverrides: FamilyOverrides
  /** What is said about families for single teams. */
  teamFamilies: TeamFamilyCache
  /** Which families and vendors are locked because of failures in a row. */
  breakers: Breakers
  settings: Settings
  /** Where refusals and failures are explained. */
  docUrls: DocUrls
}

/** Where a request came from, for the audit log. */
export type Origin = {
  /** The client's, as requests are counted. */
  address: string | null
  userAgent: string | null
  requestId: string | null
  /** What a tool with the service token calls itself. */
  tool: string | null
}

/** Handed to every rule: the services, a connection to work on, and who asks. */
export type Context = Services & {
  sql: Sql
  actor: Actor
  /** Absent for what no request asks for. */
  origin?: Origin | undefined
  em(): SqlEntityManager
  /** Its statements stand or fall together. */
  isTransaction?: boolean
  /** What the statement that admitted this very request found under an identifier: a generation of the caller's, or nothing. */
  preloadedGeneration?: { id: string; generation: Generation | undefined }
}

/** A context of its own for one caller; its entity manager is made when first asked for and shares nothing with others. */
export function contextFor(services: Services, actor: Actor, origin?: Origin): Context {
  return { ...services, em: once(() => services.rootEm.fork()), sql: bindSql(services.pool), actor, origin }
}

/** The person who has signed in and asks; null for any other actor. */
export function personIdOf({ actor }: Pick<Context, 'actor'>): string | null {
  return actor.kind === 'person' ? actor.userId : null
}

/**
 * Runs `work` in one READ COMMITTED transaction, in which statements and the entity manager of `inside` take part; what the entity
 * manager holds is written before the commit, or earlier by its own flush. A throw rolls all of it back.
 */
export async function transaction<Result>(context: Context, work: (inside: Context) => Promise<Result>): Promise<Result> {
  const client = await connect(context.pool)
  let broken = true
  let em: SqlEntityManager | undefined
  const inside: Context = { ...context, sql: bindSql(client), em: once(() => (em = context.entityManagerOn(client))), isTransaction: true }
  try {
    await client.query('begin')
    const result = await work(inside)
    await em?.flush()
    await client.query('commit')
    broken = false
    return result
  } catch (error) {
    broken = !(await tryRollback(client)) || isOutdatedPlan(error)
    throw refusalOf(error) ?? error
  } finally {
    client.release(broken)
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

async function tryRollback(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
