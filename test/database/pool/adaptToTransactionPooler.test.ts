import { afterAll, expect, test } from 'vitest'
import type { Log } from '../../../src/database/log.ts'
import { openPool } from '../../../src/database/pool/pool.ts'
import { databaseUrls, testDatabase } from '../../support/database/database.ts'

const database = await testDatabase()
const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
// Through PgBouncer in runs of `npm run test:pgbouncer`; one connection, so that a session would keep its settings.
const pool = openPool(databaseUrls(database.url).url, { max: 1, log, pooled: true })
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const settings = `select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`

test('statements are sent without a name, so that any session can run them', async () => {
  for (let time = 0; time < 3; time += 1) await pool.query({ name: 'one', text: 'select $1::integer as one', values: [1] })
  const { rows } = await pool.query('select count(*)::integer as named from pg_prepared_statements')
  expect(rows).toEqual([{ named: 0 }])
})

test.each(['begin', 'start transaction isolation level serializable', 'BEGIN;'])(
  'a transaction that starts with %j has the timeouts of a direct session, and leaves none in the session',
  async (begin) => {
    const client = await pool.connect()
    const before = (await client.query(settings)).rows
    await client.query(begin)
    expect((await client.query(settings)).rows).toEqual([{ jit: 'off', statement: '2430ms', idle: '10s' }])
    await client.query('commit')
    expect((await client.query(settings)).rows).toEqual(before)
    client.release()
  },
)

test('a text that only contains a begin is sent unchanged', async () => {
  const { rows } = await pool.query(`select 'begin' as word`)
  expect(rows).toEqual([{ word: 'begin' }])
})
