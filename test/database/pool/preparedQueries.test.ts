import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, parseTimestamp } from '../../../src/database/pool/pool.ts'
import { bindSql, statement } from '../../../src/domain/sql.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices({ poolMax: 1 })
const pool = openPool(databaseUrl, { max: 1, log: services.log })
const described = { count: 0 }
beforeAll(async () => {
  const client = await pool.connect()
  client.connection.on('rowDescription', () => (described.count += 1))
  client.release()
})
afterAll(async () => {
  await pool.end()
  await close()
})

const several = {
  name: 'several_types',
  text: `select $1::text as words, 7::bigint as amount, null::text as nothing, '{"a":[1]}'::jsonb as json, '{x,y}'::text[] as list,
    '2026-11-24 10:20:30.123456+00'::timestamptz as moment, '2026-11-24'::date as day, '\\x0aff'::bytea as bytes, true as yes`,
}
const values = {
  words: 'é "quoted" \\ ',
  amount: 7,
  nothing: null,
  json: { a: [1] },
  list: ['x', 'y'],
  moment: new Date('2026-11-24T10:20:30.123Z'),
  day: '2026-11-24',
  bytes: Buffer.from([10, 255]),
  yes: true,
}

test('a named statement returns the same rows at each execution, and is described once on a connection', async () => {
  const before = described.count
  for (let times = 0; times < 3; times += 1) {
    const { rows, rowCount, command } = await pool.query({ ...several, values: [values.words] })
    expect({ rows, rowCount, command }).toEqual({ rows: [values], rowCount: 1, command: 'SELECT' })
  }
  const { rows, fields } = await pool.query({ ...several, values: [values.words], rowMode: 'array' })
  expect(rows).toEqual([Object.values(values)])
  expect(fields.map(({ name }) => name)).toEqual(Object.keys(values))
  expect(described.count - before).toBe(1)
})

test('a statement without rows, and one that changes rows, report their counts', async () => {
  const create = { name: 'make', text: 'create table counted (id integer)' }
  expect(await pool.query(create)).toMatchObject({ rows: [], rowCount: null, command: 'CREATE' })
  const insert = { name: 'fill', text: 'insert into counted select generate_series(1, $1::integer)', values: [5] }
  for (let times = 0; times < 2; times += 1) expect(await pool.query(insert)).toMatchObject({ rows: [], rowCount: 5, command: 'INSERT' })
})

test('a refused statement leaves the connection usable, also one whose name is taken or whose value cannot be written', async () => {
  const divide = { name: 'divide', text: 'select 1 / $1::integer as share' }
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  await expect(pool.query({ ...divide, values: [0] })).rejects.toThrow('division by zero')
  await expect(pool.query({ ...divide, values: [circle] })).rejects.toThrow('circular')
  expect((await pool.query({ ...divide, values: [1] })).rows).toEqual([{ share: 1 }])
  await expect(pool.query({ name: 'divide', text: 'select 2' })).rejects.toThrow('divide')
  expect((await pool.query({ ...divide, values: [1] })).rows).toEqual([{ share: 1 }])
})

test('an amount that a number cannot represent is refused, and the connection stays usable', async () => {
  const amount = { name: 'amount', text: 'select $1::bigint as amount' }
  await expect(pool.query({ ...amount, values: ['9007199254740993'] })).rejects.toThrow(RangeError)
  expect((await pool.query({ ...amount, values: ['5'] })).rows).toEqual([{ amount: 5 }])
})

test('statements of the domain have camelCase columns', async () => {
  const named = statement<{ firstName: number }>('two_words', 'select $1::integer as first_name')
  for (let times = 1; times < 3; times += 1) expect(await bindSql(pool).one(named, [times])).toEqual({ firstName: times })
  expect(await bindSql(pool).all(statement('none', 'select 1 as first_name where false'), [])).toEqual([])
})

test.for<[text: string, moment: string]>([
  ['2026-11-24 06:34:41.123456+00', '2026-11-24T06:34:41.123Z'],
  ['2026-11-24 06:34:41+00', '2026-11-24T06:34:41.000Z'],
  ['1969-12-31 23:59:59.9+00', '1969-12-31T23:59:59.900Z'],
  ['2026-11-24 06:34:41.5+05:30', '2026-11-24T01:04:41.500Z'],
  ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
  ['12026-11-24 06:34:41+00', '+012026-11-24T06:34:41.000Z'],
])('a timestamp %s is %s', ([text, moment]) => {
  expect(parseTimestamp(text).toISOString()).toBe(moment)
})
