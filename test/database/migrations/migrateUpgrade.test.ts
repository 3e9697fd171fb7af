import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { firstIdAt, newId } from '../../../src/contract/ids.ts'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { bindSql } from '../../../src/domain/sql.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'
import { releasedDatabase } from '../../support/rollout/releasedDatabase.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const database = await releasedDatabase()
const pool = testPool(database.url, 3)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Every table with rows, and an expression over its rows, in their order. */
const tables = {
  users: 'id',
  teams: 'id',
  memberships: 'team_id, user_id',
  credit_accounts: 'id',
  api_keys: 'id',
  generations: 'id',
  generation_attempts: 'generation_id, number',
  ledger_transactions: 'id',
  ledger_entries: 'transaction_id, bucket',
  usage_days: 'account_id, day, family_id',
  inputs_in_use: 'generation_id, input_id',
  webhook_subscriptions: 'id',
  webhook_deliveries: 'id',
  webhook_attempts: 'delivery_id, number',
}
/** Ignores tables and columns that later releases have added. */
async function contents(known: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [table, order] of Object.entries(tables)) {
    const { rows } = await pool.query(
      `select count(*)::integer as rows, md5(string_agg((select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where '${table}.' || key = any ($1))::text, ',' order by ${order})) as digest
         from ${table} t`,
      [known],
    )
    found[table] = rows[0]
  }
  return found
}

const key = newId('key')
const day = 86_400_000
const ahead = firstIdAt('gen', new Date(Date.now() + 400 * day)).replace(/.$/, '1')
let before: Record<string, unknown>
let known: string[]

beforeAll(async () => {
  await pool.query(`insert into users (id, email, name) values ('user_a', 'a@example.test', 'A')`)
  await pool.query(`insert into teams (id, name) values ('team_a', 'A')`)
  await pool.query(`insert into memberships (team_id, user_id, role) values ('team_a', 'user_a', 'owner')`)
  await pool.query(`insert into credit_accounts (id, team_id) values ('acct_a', 'team_a')`)
  await pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash) values ($1, 'team_a', 'user_a', 'k', '{}', 'p', '\\x00')`,
    [key],
  )
  await pool.query(`select grant_credits('acct_a', 1000000, 'test', 'first')`)
  const ids = [...Array.from({ length: 299 }, (_, n) => firstIdAt('gen', new Date(Date.now() - n * 3 * day)).replace(/.$/, '1')), ahead]
  await pool.query(
    `with started as (
       insert into generations (id, owner_id, account_id, user_id, key_id, source, state, family_id, output_type, inputs, price, created_at)
         select id, 'team_a', 'acct_a', 'user_a', $2, 'rest', 'queued', 'kite', 'image', '{"imageIds": ["file_a"]}', 100, now() from unnest($1::text[]) as id
         returning id
     ), held as (
       update credit_accounts set held = 30000
     ), held_by_key as (
       update api_keys set held_open = 30000
     ), moved as (
       insert into ledger_transactions (account_id, generation_id, kind) select 'acct_a', id, 'hold' from started returning id
     )
     insert into ledger_entries (transaction_id, bucket, credits)
       select id, bucket, sign * 100 from moved cross join (values ('available', -1), ('held', 1)) as sides (bucket, sign)`,
    [ids, key],
  )
  await pool.query(
    `insert into generation_attempts (generation_id, number, provider, idempotency_key) select id, 1, 'p', id || '.1' from generations`,
  )
  await pool.query(
    `select end_generation(id, '{queued}', 'ready', null, true, '{"text": "made"}', null)
       from (select id from generations order by id limit 200) as oldest`,
  )
  await pool.query(`insert into processes (id, roles, worker_pool_id) values ('proc_a', '{worker}', 'pool_a')`)
  await pool.query(`insert into webhook_subscriptions (id, team_id, address, events, secret, last_event_number, created_at)
    values ('hook_a', 'team_a', 'https://example.test', '{generation.completed}', '\\x00', 200, now())`)
  await pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, attempts, next_attempt_at, retries_left)
       select id, 'hook_a', n, 'generation.completed', '\\x01', now() - n * interval '1 day', case when n = 1 then 'pending' else 'delivered' end, 1,
         case when n = 1 then now() end, case when n = 1 then 3 end
       from unnest($1::text[]) with ordinality as d (id, n)`,
    [Array.from({ length: 200 }, (_, n) => firstIdAt('evt', new Date(Date.now() - n * day)))],
  )
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, begun_at, took_seconds) select id, 1, created_at, 0.1 from webhook_deliveries`,
  )
  const columns = `select array_agg(table_name || '.' || column_name) as known from information_schema.columns where table_schema = 'public'`
  known = (await pool.query(columns)).rows[0].known.map(String)
  before = await contents(known)
  await migrateDatabase(database.url, { log })
})

test('an upgrade keeps every row of every table unchanged and in order, and the books balance', async () => {
  expect(await contents(known)).toEqual(before)
  expect(await checkBooks({ sql: bindSql(pool) })).toEqual({ clean: true, faults: [] })
  expect((await pool.query('select queues from processes')).rows).toEqual([{ queues: [] }])
})

test.each([
  ['an upgraded', async () => ({ url: database.url, drop: async () => {} })],
  ['a fresh', testDatabase],
])(
  'a new partition of %s database has the columns, checks, indexes, triggers and storage options of the first one',
  async (_which, open) => {
    const { url, drop } = await open()
    const pool = testPool(url, 1)
    onTestFinished(async () => {
      await pool.end()
      await drop()
    })
    await pool.query('select make_partitions(table_name) from partitioned_tables()')
    const shape = async (table: string) => {
      const { rows } = await pool.query(
        `select
         (select array_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attstorage, pg_get_expr(adbin, adrelid)) order by attname)
            from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = $1::regclass and attnum > 0 and not attisdropped) as columns,
         (select array_agg(conname || pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = $1::regclass and contype = 'c') as checks,
         (select array_agg(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON \\S+', '') order by 1) from pg_index
            where indrelid = $1::regclass and exists (select from pg_inherits where inhrelid = indexrelid)) as indexes,
         (select array_agg(tgname::text order by tgname) from pg_trigger where tgrelid = $1::regclass and tgtype & 1 = 1) as triggers,
         (select coalesce(reloptions, '{fillfactor=100}') from pg_class where oid = $1::regclass) as options`,
        [table],
      )
      const sorted = rows[0] as Record<string, string[] | null>
      return { ...sorted, indexes: sorted['indexes']?.toSorted() }
    }
    for (const table of ['generations', 'generation_attempts', 'webhook_deliveries', 'webhook_attempts']) {
      const { rows } = await pool.query(`select partition_name from partitions_of($1) where from_id is not null or is_default`, [table])
      expect(rows.length).toBeGreaterThan(0)
      for (const { partition_name } of rows)
        expect({ table, ...(await shape(partition_name)) }).toEqual({ table, ...(await shape(`${table}_first`)) })
    }
  },
)

test('a generation that was started by a clock a year ahead is found, ends and is settled as any other', async () => {
  const { rows } = await pool.query(`select end_generation($1, '{queued}', 'ready', null, true, '{"text": "made"}', null) as ended`, [
    ahead,
  ])
  expect(rows).toEqual([{ ended: true }])
  expect((await checkBooks({ sql: bindSql(pool) })).clean).toBe(true)
})
