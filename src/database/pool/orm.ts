import { MikroORM, type Options, type SqlEntityManager } from '@mikro-orm/postgresql'
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { openPool, type PoolOptions, releaseError, safeInteger } from './pool.ts'

const defaultCloseMilliseconds = 3_000
const textArrayOid = 1009
const bigintOid = 20

export type Database = {
  orm: MikroORM
  /** The same connections, for prepared statements and the job queue. */
  pool: pg.Pool
  /** A new entity manager on a connection; the caller begins and ends its transaction. */
  entityManagerOn: (client: pg.PoolClient) => SqlEntityManager
  /** Waits for connections in use up to a limit, then closes. */
  close: () => Promise<void>
}

export type OrmOptions = {
  entities: NonNullable<Options['entities']>
  poolMax: number
  /** How long `close` waits for connections in use; default three seconds. */
  closeMilliseconds?: number
} & Omit<PoolOptions, 'max'>

/**
 * Opens the ORM over `entities` and a pool of up to `poolMax` connections, without connecting yet. Only migrations change the schema. The
 * pool is our own: the ORM's would ignore the TLS options of the URL and would reuse broken connections.
 */
export async function openOrm(
  url: string,
  { entities, poolMax, closeMilliseconds = defaultCloseMilliseconds, ...options }: OrmOptions,
): Promise<Database> {
  const pool = openPool(url, { max: poolMax, ...options })
  const types = typesForOrm()
  const orm = await MikroORM.init({
    entities,
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool: poolForOrm(pool, types) }),
    debug: false,
    // Its log would contain statements with users' texts. Errors arrive as exceptions.
    logger: () => undefined,
  })
  return { orm, pool, entityManagerOn: (client) => entityManagerOn(orm, client, types), close: () => close(orm, pool, closeMilliseconds) }
}

/** The ORM parses times from text. */
function typesForOrm(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  const parseTextArray = types.getTypeParser(textArrayOid) as unknown as (text: string) => string[]
  for (const [oid, parse] of Object.entries(createPostgreSqlTypeParsers(parseTextArray))) types.setTypeParser(Number(oid), parse)
  types.setTypeParser(bigintOid, safeInteger)
  return types
}

/** The ORM has no way to release a connection as broken, so this wrapper does. */
function poolForOrm(pool: pg.Pool, types: pg.CustomTypesConfig): PostgresPool {
  return {
    options: pool.options,
    connect: async () => clientForOrm(await pool.connect(), types),
    // `close` ends the pool after the ORM.
    end: async () => undefined,
  }
}

function entityManagerOn(orm: MikroORM, client: pg.PoolClient, types: pg.CustomTypesConfig): SqlEntityManager {
  const { query } = clientForOrm(client, types)
  const connection = { query, release: () => undefined }
  const pool: PostgresPool = { options: {}, connect: async () => connection, end: async () => undefined }
  const em = orm.em.fork()
  em.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }))
  return em
}

type PoolClient = Awaited<ReturnType<PostgresPool['connect']>>

function clientForOrm(client: pg.PoolClient, types: pg.CustomTypesConfig): Pick<PoolClient, 'query' | 'release'> {
  let broken: Error | undefined
  async function query(text: string, values: readonly unknown[]) {
    if (broken !== undefined) throw broken
    try {
      return await client.query({ text, values: [...values], types })
    } catch (error) {
      broken = releaseError(error)
      throw error
    }
  }
  // The ORM uses no cursors, the other form of a query.
  return { query: query as unknown as PoolClient['query'], release: () => client.release(broken) }
}

async function close(orm: MikroORM, pool: pg.Pool, closeMilliseconds: number): Promise<void> {
  await orm.close()
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, closeMilliseconds)
  await Promise.race([pool.end(), late])
  clearTimeout(timer)
}
