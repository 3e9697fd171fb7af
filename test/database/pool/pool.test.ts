import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { defaultTimeouts, sessionOptions } from '../../../src/database/pool/pool.ts'
import { transaction } from '../../../src/domain/context.ts'
import { statement } from '../../../src/domain/sql.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices({ poolMax: 3 })
const newerRelease = new pg.Client(databaseUrl)
await newerRelease.connect()
afterAll(async () => {
  await newerRelease.end()
  await close()
})
const context = aServiceContext(services)

/** Returns a statement that every connection has prepared, on a table that has a new column since. */
async function anOutdatedStatement(table: string) {
  await newerRelease.query(`create table ${table} (id integer)`)
  await newerRelease.query(`insert into ${table} values (1)`)
  const everything = statement<{ id: number }>(`everything_of_${table}`, `select * from ${table}`)
  const together = [1, 2, 3].map(() => transaction(context, async (inside) => await inside.sql.all(everything, [])))
  await Promise.all(together)
  await newerRelease.query(`alter table ${table} add column added text default 'later'`)
  return everything
}

test('a statement whose result type a newer release has changed succeeds on every connection', async () => {
  const everything = await anOutdatedStatement('outside')
  const answers = await Promise.all(Array.from({ length: 6 }, () => context.sql.one(everything, [])))
  expect(answers).toEqual(answers.map(() => ({ id: 1, added: 'later' })))
})

test('inside a transaction it is refused as service_unavailable, at most once for each connection, and the transaction is rolled back', async () => {
  const everything = await anOutdatedStatement('inside')
  const insert = statement<never>('insert_inside', 'insert into inside (id) values (2)')
  const work = () =>
    transaction(context, async (inside) => {
      await inside.sql.all(insert, [])
      return await inside.sql.all(everything, [])
    })
  const refusals: unknown[] = []
  for (let tries = 0; tries < 4; tries += 1) await work().catch((error: unknown) => refusals.push(error))
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: 'service_unavailable' })))
  const { rows } = await newerRelease.query('select count(*)::integer as count from inside where id = 2')
  expect(rows[0].count).toBe(4 - refusals.length)
})

test('a request that waits for a connection and then for a statement is answered within five seconds', () => {
  expect(defaultTimeouts.connectMilliseconds + defaultTimeouts.queryMilliseconds).toBeLessThan(4_800)
})

test('PostgreSQL ends the session of a host that has vanished within two minutes', async () => {
  const client = new pg.Client({ connectionString: databaseUrl, options: sessionOptions })
  await client.connect()
  const settings = await client.query(
    `select name, setting::integer from pg_settings where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count')`,
  )
  await client.end()
  const seconds = Object.fromEntries(settings.rows.map(({ name, setting }) => [name.replace('tcp_keepalives_', ''), setting]))
  expect(seconds['idle'] + seconds['interval'] * seconds['count']).toBeLessThanOrEqual(120)
})
