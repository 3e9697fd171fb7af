import { defineEntity, p } from '@mikro-orm/core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, type OrmOptions, openOrm } from '../../../src/database/pool/orm.ts'
import { emptyDatabase, type TestDatabase } from '../../support/database/database.ts'
import { databaseProxyTo } from '../../support/database/databaseProxy.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

const Note = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: p.text().primary(),
    writtenAt: p.datetime(),
    day: p.date(),
    amount: p.bigint('number'),
    words: p.array<string>(),
    facts: p.json<{ deep: number[] }>(),
  },
})
const note = {
  id: 'note_1',
  writtenAt: new Date('2026-02-03T04:05:06.789Z'),
  day: '2026-02-03',
  amount: 2 ** 40,
  words: ['a "b"', 'c,d'],
  facts: { deep: [1, 2] },
}

let source: TestDatabase
beforeAll(async () => {
  source = await emptyDatabase()
  const { pool, orm, close } = await openOrm(source.url, { entities: [Note], poolMax: 1, log })
  await pool.query(
    'create table notes (id text primary key, written_at timestamptz, day date, amount bigint check (amount > 0), words text[], facts jsonb)',
  )
  const em = orm.em.fork()
  em.create(Note, note)
  await em.flush()
  await close()
})
afterAll(() => source.drop())

async function open(url = source.url, options: Partial<OrmOptions> = {}): Promise<Database> {
  const database = await openOrm(url, { entities: [Note], poolMax: 1, log, ...options })
  onTestFinished(() => database.close())
  return database
}

/** The server process of the only connection. */
async function backend({ pool }: Database): Promise<number> {
  return (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
}

test('the ORM and prepared statements share one connection, and each parses its own types', async () => {
  const { orm, pool } = await open()
  expect(await orm.em.fork().findOneOrFail(Note, 'note_1')).toEqual(note)

  const { rows } = await pool.query('select written_at, day, amount, words, facts from notes where id = $1', ['note_1'])
  const { writtenAt, day, words, facts } = note
  expect(rows).toEqual([{ written_at: writtenAt, day, amount: note.amount, words, facts }])
  expect(pool.totalCount).toBe(1)
})

test('a failed transaction of the ORM is rolled back completely', async () => {
  const { orm } = await open()
  const failing = orm.em.fork().transactional(async (em) => {
    await em.nativeUpdate(Note, 'note_1', { amount: 5 })
    await em.nativeUpdate(Note, 'note_1', { amount: -5 })
  })
  await expect(failing).rejects.toThrow(/check constraint/)
  expect(await orm.em.fork().findOneOrFail(Note, 'note_1')).toEqual(note)
})

test('a statement that the server refuses keeps its connection', async () => {
  const database = await open()
  const before = await backend(database)
  await expect(database.pool.query('select 1 / 0')).rejects.toThrow(/division by zero/)
  await expect(database.orm.em.fork().execute('select 1 / 0')).rejects.toThrow(/division by zero/)
  expect(await backend(database)).toBe(before)
})

test('a connection that the server ends, idle or busy, is replaced, and the process continues', async () => {
  const database = await open()
  const first = await backend(database)
  await expect(database.pool.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(/terminating connection/)
  const second = await backend(database)
  await expect(database.orm.em.fork().execute('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(/terminating connection/)
  const third = await backend(database)
  const other = await open()
  await other.pool.query('select pg_terminate_backend($1)', [third])
  await expect.poll(() => database.pool.totalCount).toBe(0)
  const fourth = await backend(database)
  expect(new Set([first, second, third, fourth]).size).toBe(4)
})

test('a database that refuses connections rejects at once', async () => {
  const { orm, pool } = await open('postgresql://u:p@127.0.0.1:1/x')
  await expect(pool.query('select 1')).rejects.toThrow(/ECONNREFUSED/)
  await expect(orm.em.fork().execute('select 1')).rejects.toThrow(/ECONNREFUSED/)
})

test('a silent database rejects within the time limit, also in transactions, and works again when it is back', async () => {
  const gate = await databaseProxyTo(source.url)
  const { orm, pool } = await open(gate.url, { poolMax: 3, queryTimeoutMilliseconds: 500, connectTimeoutMilliseconds: 500 })
  await Promise.all(Array.from({ length: 3 }, () => pool.query('select pg_sleep(0.05)')))
  gate.stallConnections(true)

  const startedAt = performance.now()
  const transaction = orm.em.fork().transactional((em) => em.execute('select 1'))
  const answers = await Promise.allSettled([pool.query('select 1'), orm.em.fork().execute('select 1'), transaction])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(pool.totalCount).toBe(0)
  await expect(pool.query('select 1')).rejects.toThrow(/timeout/)

  gate.resumeConnections()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(await orm.em.fork().execute('select 1 as one')).toEqual([{ one: 1 }])
})

test('a checked-out connection to a silent server fails every further statement at once, and is not reused', async () => {
  const gate = await databaseProxyTo(source.url)
  const { pool } = await open(gate.url, { queryTimeoutMilliseconds: 500 })
  const client = await pool.connect()
  await client.query('begin')
  gate.stallConnections()
  await expect(client.query('select 1')).rejects.toThrow(/timeout/)

  // The message shows that no second timeout passed.
  await expect(client.query('rollback')).rejects.toThrow(/not queryable|terminated/)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('the server cancels a statement that takes too long, and the connection stays open', async () => {
  const database = await open(source.url, { queryTimeoutMilliseconds: 500 })
  const before = await backend(database)
  await expect(database.pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' })
  expect(await backend(database)).toBe(before)
})

test('when all connections are in use, one more request is rejected after the time limit', async () => {
  const { pool } = await open(source.url, { connectTimeoutMilliseconds: 300 })
  const taken = await pool.connect()
  await expect(pool.query('select 1')).rejects.toThrow(/timeout exceeded when trying to connect/)
  taken.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('closing waits for a connection that is never released only until its time limit', async () => {
  const database = await openOrm(source.url, { entities: [Note], poolMax: 1, closeMilliseconds: 30, log })
  const kept = await database.pool.connect()
  const startedAt = performance.now()
  await database.close()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  kept.release()
})
