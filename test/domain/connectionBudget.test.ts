import { afterAll, expect, test } from 'vitest'
import { connectionBudget, poolMaxOf } from '../../src/domain/connectionBudget.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

async function processes(...all: string[][]): Promise<void> {
  await services.pool.query('delete from processes')
  for (const [index, roles] of all.entries())
    await services.pool.query('insert into processes (id, roles) values ($1, $2)', [`proc_${index}`, roles])
}

test('the budget counts full pools and direct connections of live processes, and none of dead ones', async () => {
  await processes(['http'], ['http'], ['worker'], ['http', 'worker'])
  await services.pool.query(`update processes set heartbeat_at = now() - interval '1 hour' where id = 'proc_1'`)
  const shared = { poolMax: undefined, pooled: false }
  expect((await connectionBudget(services, shared)).possible).toBe(12 + 18 + 30)
  expect((await connectionBudget(services, { ...shared, poolMax: 5 })).possible).toBe(7 + 9 + 11)
  expect((await connectionBudget(services, { ...shared, pooled: true })).possible).toBe(2 + 4 + 6)
})

test('the limit is what PostgreSQL leaves to ordinary roles, and that of the database', async () => {
  const of = () => connectionBudget(services, { poolMax: undefined, pooled: false })
  const { rows } = await services.pool.query<{ most: number }>(`select current_setting('max_connections')::integer as most`)
  const { limit, open } = await of()
  expect(limit).toBeLessThan(rows[0]?.most ?? 0)
  expect(open).toBeGreaterThan(0)
  const { rows: own } = await services.pool.query<{ name: string }>('select current_database() as name')
  await services.pool.query(`alter database "${own[0]?.name}" connection limit 17`)
  expect((await of()).limit).toBe(17)
})

test('too many connections have been open at least since the connection that exceeded the share was opened', async () => {
  const { rows: own } = await services.pool.query<{ name: string }>('select current_database() as name')
  const limitTo = (limit: number) => services.pool.query(`alter database "${own[0]?.name}" connection limit ${limit}`)
  const of = () => connectionBudget(services, { poolMax: undefined, pooled: false })
  await limitTo(10_000)
  expect((await of()).scarceSince).toBeNull()
  const { rows } = await services.pool.query<{ at: Date }>(
    `select backend_start as at from pg_stat_activity where backend_type = 'client backend' order by backend_start limit 2`,
  )
  await limitTo(2)
  expect((await of()).scarceSince).toEqual(rows[1]?.at)
})

test('a process has the pool of its roles unless DATABASE_POOL_MAX sets another', () => {
  expect([poolMaxOf(['http'], undefined), poolMaxOf(['worker'], undefined), poolMaxOf(['http', 'worker'], undefined)]).toEqual([10, 14, 24])
  expect(poolMaxOf(['http'], 6)).toBe(6)
})
