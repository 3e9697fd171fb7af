import { afterAll, beforeEach, expect, test } from 'vitest'
import { firstIdAt, momentOfId, newId } from '../../../src/contract/ids.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { listLedger } from '../../../src/domain/credits/listLedger.ts'
import { readGeneration } from '../../../src/domain/generations/reading/readGeneration.ts'
import { partitionFaults } from '../../../src/domain/partitions/partitionFaults.ts'
import { retirePartitions } from '../../../src/domain/partitions/retirePartitions.ts'
import { clearPartitions, keepPartitions } from '../../../src/jobs/maintenance/keepPartitions.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { testServices } from '../../support/services.ts'
import { anEnding } from '../../support/webhooks/webhooks.ts'

const day = 86_400_000
const real = new Date()
let own = await testServices({ settings: { historyRetentionDays: 31 } })
afterAll(() => own.close())
beforeEach(async () => {
  await own.close()
  own = await testServices({ settings: { historyRetentionDays: 31 } })
  await own.clock.set(real)
})

const partitionsOf = async (table: string): Promise<string[]> =>
  (await own.services.pool.query('select partition_name from partitions_of($1) order by until_id', [table])).rows.map(
    (row) => row.partition_name,
  )
const runRoutines = async () => {
  await keepPartitions(aJobContext(own.services))
  await clearPartitions(aJobContext(own.services))
}
const removals = async () =>
  (await own.services.pool.query(`select count(*)::integer as count from graphile_worker.jobs where task_identifier = 'removeObject'`))
    .rows[0].count
const faults = () => partitionFaults(aJobContext(own.services))
const inMonths = (months: number) => new Date(Date.UTC(real.getUTCFullYear(), real.getUTCMonth() + months, 15))

test('the smallest identifier of a time is the same in the database and in our code, and contains the time', async () => {
  for (const moment of [new Date(0), new Date('2027-01-01T00:00:00.001Z'), real]) {
    const { rows } = await own.services.pool.query(`select first_id('gen', $1) as id`, [moment])
    expect(rows[0].id).toBe(firstIdAt('gen', moment))
    expect(momentOfId(rows[0].id)).toEqual(moment)
  }
})

test('partitions are created ahead of time, once, also by several processes', async () => {
  expect(await faults()).toEqual([])
  await own.clock.set(inMonths(3))
  expect(await faults()).toHaveLength(4)
  await Promise.all(Array.from({ length: 5 }, runRoutines))
  await runRoutines()
  const names = await partitionsOf('generations')
  expect(new Set(names).size).toBe(names.length)
  const month = inMonths(4).toISOString().slice(0, 7).replace('-', '_')
  expect(names).toContain(`generations_${month}`)
  expect(await partitionsOf('generation_attempts')).toContain(`generation_attempts_${month}`)
  expect(await faults()).toEqual([])
  expect(own.logged.filter(({ message }) => message === 'partitions could not be kept yet')).toEqual([])
})

test('partitions are created again after all were detached, and until then a fault is reported', async () => {
  await own.clock.set(inMonths(6))
  await retirePartitions(aJobContext(own.services))
  expect(await partitionsOf('webhook_deliveries')).toEqual(['webhook_deliveries_default'])
  expect(await faults()).toHaveLength(4)
  await runRoutines()
  expect(await faults()).toEqual([])
  expect(await partitionsOf('generations')).toContain(`generations_${inMonths(7).toISOString().slice(0, 7).replace('-', '_')}`)
})

test('rows written under a clock that was ahead stay readable, and move to their month when its partition is created', async () => {
  const team = await aTeamWithKey(own.services)
  const id = await anEnding(team, 'ready')
  const ahead = firstIdAt('gen', inMonths(3)).replace(/.$/, '1')
  for (const [table, column] of [
    ['generations', 'id'],
    ['ledger_transactions', 'generation_id'],
  ]) {
    if (table === 'ledger_transactions') await own.services.pool.query('alter table ledger_transactions disable trigger append_only')
    await own.services.pool.query(`update ${table} set ${column} = $2 where ${column} = $1`, [id, ahead])
  }
  const where = async () =>
    (await own.services.pool.query('select tableoid::regclass::text as name from generations where id = $1', [ahead])).rows[0].name
  expect(await where()).toBe('generations_default')
  expect((await faults()).map(({ words }) => words).join()).toContain('generations: 1 row in the default partition')
  await own.clock.set(inMonths(2))
  await runRoutines()
  expect(await where()).toBe(`generations_${inMonths(3).toISOString().slice(0, 7).replace('-', '_')}`)
  expect(await readGeneration(team.context, team.team.id, ahead)).toMatchObject({ id: ahead, state: 'ready' })
  expect((await checkBooks(team.context)).clean).toBe(true)
})

test('an expired month is no longer listed, its objects and its table are removed, and the ledger does not change', async () => {
  const team = await aTeamWithKey(own.services)
  const ids = [await anEnding(team, 'ready'), await anEnding(team, 'failed'), await anEnding(team, 'ready')]
  const readLedger = async () =>
    (await listLedger(team.context, team.spender.accountId, { limit: 50, fromTheEnd: false, after: undefined, before: undefined })).map(
      ({ id, kind, amount, generationId }) => ({ id, kind, amount, generationId }),
    )
  const ledgerBefore = await readLedger()
  await own.clock.set(inMonths(4))
  await runRoutines()
  await runRoutines()
  expect(await partitionsOf('generations')).not.toContain('generations_first')
  for (const id of ids) await expect(readGeneration(team.context, team.team.id, id)).rejects.toMatchObject({ code: 'generation_not_found' })
  expect(await removals()).toBe(2)
  const { rows } = await own.services.pool.query(
    `select to_regclass('generations_first') is null and to_regclass('generation_attempts_first') is null as gone, count(*) filter (where dropped_at is null)::integer as left
       from retired_partitions`,
  )
  expect(rows).toEqual([{ gone: true, left: 0 }])
  expect(await readLedger()).toEqual(ledgerBefore)
  expect(await checkBooks(team.context)).toEqual({ clean: true, faults: [] })
})

test('a month with open work, with inputs of other work, or with recent endings is not dropped', async () => {
  const team = await aTeamWithKey(own.services)
  const needed = await anEnding(team, 'ready')
  const { pool } = own.services
  await own.clock.set(inMonths(4))
  await pool.query(`insert into inputs_in_use (generation_id, input_id) values ($1, $2)`, [newId('gen'), needed])
  await runRoutines()
  expect(await partitionsOf('generations')).toContain('generations_first')
  await pool.query('delete from inputs_in_use')
  await pool.query(`update generations set finished_at = present() - interval '1 day' where id = $1`, [needed])
  await runRoutines()
  expect(await partitionsOf('generations')).toContain('generations_first')
  await pool.query(`update generations set finished_at = null, state = 'running', result = null, credits_charged = null where id = $1`, [
    needed,
  ])
  await runRoutines()
  expect(await partitionsOf('generations')).toContain('generations_first')
  expect(await removals()).toBe(0)
})

test('after a process ends between detaching and dropping a partition, the next process finishes', async () => {
  const team = await aTeamWithKey(own.services)
  await anEnding(team, 'ready')
  await anEnding(team, 'ready')
  const { pool } = own.services
  await own.clock.set(inMonths(4))
  const { rows } = await pool.query(`select retire_partition('generations', 'generation_attempts', 31, false) as name`)
  expect(rows).toEqual([{ name: 'generations_first' }])
  for (let steps = 0; steps < 2; steps += 1) await pool.query('select * from sweep_retired_partition(1, 10000)')
  await runRoutines()
  expect(await removals()).toBe(2)
  expect((await pool.query('select name from retired_partitions where dropped_at is null')).rows).toEqual([])
})

test('a detached partition that cannot be dropped does not block others, and is dropped later', async () => {
  await anEnding(await aTeamWithKey(own.services), 'ready')
  const { pool } = own.services
  await own.clock.set(inMonths(4))
  await pool.query('create view of_somebody as select * from generation_attempts_first')
  await runRoutines()
  const left = async () => (await pool.query('select name from retired_partitions where dropped_at is null')).rows
  expect(await left()).toEqual([{ name: 'generation_attempts_first' }])
  expect(await removals()).toBe(1)
  await pool.query('drop view of_somebody')
  await runRoutines()
  expect(await left()).toEqual([])
})

test('deliveries are dropped by the week after the log period; an open one keeps its week, unless its subscription is paused', async () => {
  const team = await aTeamWithKey(own.services)
  const { pool } = own.services
  await pool.query(
    `insert into webhook_subscriptions (id, team_id, address, events, secret, created_at) values ('hook_a', $1, 'https://x.test', '{generation.completed}', '\\x00', now())`,
    [team.team.id],
  )
  await pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, next_attempt_at, retries_left)
       values ($1, 'hook_a', 1, 'generation.completed', '\\x00', $2, 'pending', $2, 3)`,
    [newId('evt'), real],
  )
  await own.clock.set(new Date(real.getTime() + 80 * day))
  await runRoutines()
  expect(await partitionsOf('webhook_deliveries')).toContain('webhook_deliveries_first')
  await pool.query(`update webhook_subscriptions set paused = true`)
  await runRoutines()
  expect(await partitionsOf('webhook_deliveries')).not.toContain('webhook_deliveries_first')
  expect(await partitionsOf('webhook_attempts')).not.toContain('webhook_attempts_first')
  expect((await pool.query(`select to_regclass('webhook_deliveries_first') is null as gone`)).rows).toEqual([{ gone: true }])
})

test('a row of generations can only be deleted with an explicit setting', async () => {
  const team = await aTeamWithKey(own.services)
  const id = await anEnding(team, 'failed')
  await expect(own.services.pool.query('delete from generations where id = $1', [id])).rejects.toThrow('cannot be deleted')
  await own.services.pool.query(`begin; set local atelier.retention = 'on'; delete from generations where id = '${id}'; commit`)
  await expect(readGeneration(team.context, team.team.id, id)).rejects.toMatchObject({ code: 'generation_not_found' })
  expect((await checkBooks(team.context)).clean).toBe(true)
})
