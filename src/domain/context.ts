import type { SqlEntityManager } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import type { DocUrls } from '../contract/docUrl.ts'
import type { Refusal } from '../contract/refusals/refusals.ts'
import { isOutdatedPlan } from '../database/pool/pool.ts'
import type { Generation } from '../entities/Generation.ts'
import type { Inspector } from '../media/inspector.ts'
import type { Cidr } from '../network/addresses.ts'
import type { OwnAddresses } from '../network/ownAddresses.ts'
import type { Mailer } from '../network/smtpMailer.ts'
import type { KeyRing } from '../secrets/keyRing.ts'
import type { Passwords } from '../secrets/passwords.ts'
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

/** The database's clock. All stored times and all deadlines use it. */
export type Clock = { now(): Date }

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** `name`: as pages show it; `claim`: the claim of its ID tokens that lists the groups of the person. */
export type GroupProvider = { name: string; issuer: string; claim: string }

/** Limits and addresses that the operator configures. */
export type Settings = {
  publicUrl: string
  /** The OIDC provider whose groups give roles; absent when no groups are read. */
  groupProvider?: GroupProvider | undefined
  requestsPerMinute: number
  requestsInProgress: number
  /** Limit of a team's open generations in one family. */
  openGenerationsMax: number
  /** Limits of a team's files that no generation has used, all together. */
  unusedFilesMax: { bytes: number; files: number }
  webhookFirstRetrySeconds: number
  webhookAutoPauseDays: number
  /** Generations older than this are deleted, whole months at a time; never when unset. */
  historyRetentionDays: number | undefined
  /** Limits per provider that the operator sets. */
  vendorLoads: ReadonlyMap<string, Load>
  allowedPrivateAddresses: readonly Cidr[]
  /** Addresses of the deployment itself. */
  ownAddresses: OwnAddresses
  temporaryFolder: string
}

/** Objects with the lifetime of the process. */
export type Services = {
  pool: Pool
  rootEm: SqlEntityManager
  /** Returns an entity manager that uses this connection, and therefore its transaction. */
  entityManagerOn(client: PoolClient): SqlEntityManager
  clock: Clock
  log: Log
  metrics: Metrics
  storage: Storage
  /** The catalog at this moment. A context keeps the catalog that was current when it was created. */
  readonly catalog: Catalog
  /** Loads the family files of this process again. Rejects with a CatalogError, and keeps the present catalog, when a file has an error. */
  reloadCatalogFiles(): Promise<Catalog>
  inspector: Inspector
  ring: KeyRing
  passwords: Passwords
  notices: Notices
  /** Reads lists and logs, from the replica if there is one. */
  history: History
  /** The availability of families as set by operators; it overrides the catalog files. */
  familyOverrides: FamilyOverrides
  /** The availability of families for individual teams. */
  teamFamilies: TeamFamilyCache
  /** Families and vendors that are locked after consecutive failures. */
  breakers: Breakers
  settings: Settings
  /** Sends mail; absent without a mail server. */
  mailer?: Mailer | undefined
  /** Addresses of the pages that explain refusals and failures. */
  docUrls: DocUrls
}

/** The origin of a request, for the audit log. */
export type Origin = {
  /** The client address; rate limits use the same one. */
  address: string | null
  userAgent: string | null
  requestId: string | null
  /** The name that a tool with the service token gives. */
  tool: string | null
}

/** The argument of every domain function: the services, a database connection, and the actor. */
export type Context = Services & {
  sql: Sql
  actor: Actor
  /** Absent for work that no request caused. */
  origin?: Origin | undefined
  em(): SqlEntityManager
  /** True inside {@link transaction}. */
  isTransaction?: boolean
  /** The caller's generation with this identifier, or undefined, as the admission statement of this request found it. */
  preloadedGeneration?: { id: string; generation: Generation | undefined }
  /**
   * Counts more requests of the caller towards the rate. Returns how many of them are beyond it, and their refusal. Absent where the rate
   * does not apply.
   */
  countRequests?: (requests: number) => Promise<{ beyond: number; refusal: Refusal | undefined }>
  /** Calls `end` once the answer is written, or has failed. Absent where one request may read several pages. */
  onAnswerWritten?: (end: () => void) => void
}

/** Creates the context of one caller. Its entity manager is created at first use and shares nothing with other contexts. */
export function contextFor(services: Services, actor: Actor, origin?: Origin): Context {
  return { ...services, em: once(() => services.rootEm.fork()), sql: bindSql(services.pool), actor, origin }
}

/** The person who sees the answer: who signed in, or to whom the presented key value was shown. Null for any other actor. */
export function personIdOf({ actor }: Pick<Context, 'actor'>): string | null {
  if (actor.kind === 'key') return actor.holderId ?? actor.userId
  return actor.kind === 'person' ? actor.userId : null
}

/**
 * Runs `work` in one READ COMMITTED transaction. Statements and the entity manager of `inside` use it. The entity manager is flushed
 * before the commit. A throw rolls everything back.
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
