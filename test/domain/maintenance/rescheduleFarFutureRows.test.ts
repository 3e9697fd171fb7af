import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { rescheduleFarFutureRows } from '../../../src/domain/maintenance/rescheduleFarFutureRows.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)
const { pool } = services
const context = contextFor(services, { kind: 'system' })
const webhookSeconds = 320
const pull = () => rescheduleFarFutureRows(context, { webhookSeconds })

beforeEach(() =>
  pool.query(
    'delete from graphile_worker._private_jobs; delete from webhook_deliveries; delete from breakers; delete from auth.sign_in_counts',
  ),
)

const queue = (task: string, minutes: number, key = `${task}:${minutes}`) =>
  pool.query(`select graphile_worker.add_job($1, run_at => now() + $2 * interval '1 minute', job_key => $3, max_attempts => 30000)`, [
    task,
    minutes,
    key,
  ])
const due = async () =>
  (await pool.query('select key from graphile_worker.jobs where run_at <= now() order by key')).rows.map(({ key }) => key)

test('a job that waits longer than the longest delay of its task becomes due, and any other job keeps waiting', async () => {
  for (const task of ['submitGeneration', 'removeObject', 'removeOrphans', 'deliverWebhooks', 'handSlotsOn'])
    for (const minutes of [10, 22, 70, 200 * 24 * 60]) await queue(task, minutes)
  expect(await pull()).toBe(12)
  expect(await due()).toEqual([
    'deliverWebhooks:288000',
    'deliverWebhooks:70',
    'handSlotsOn:22',
    'handSlotsOn:288000',
    'handSlotsOn:70',
    'removeObject:22',
    'removeObject:288000',
    'removeObject:70',
    'removeOrphans:288000',
    'submitGeneration:22',
    'submitGeneration:288000',
    'submitGeneration:70',
  ])
  expect(await pull()).toBe(0)
})

test('a failed job keeps the backoff of the queue', async () => {
  for (const [minutes, attempts] of [
    [300, 10],
    [500, 10],
    [300, 0],
  ] as const) {
    await queue('inspectFile', minutes, `${minutes} after ${attempts}`)
    await pool.query('update graphile_worker._private_jobs set attempts = $2 where key = $1', [`${minutes} after ${attempts}`, attempts])
  }
  expect(await pull()).toBe(2)
  expect(await due()).toEqual(['300 after 0', '500 after 10'])
})

test('more than one batch of jobs is rescheduled, and a running job is not changed', async () => {
  await pool.query(`select count(*) from graphile_worker.add_jobs(array(
    select ('submitGeneration', '{}', null, now() + interval '1 year', 30000, 'k' || n, null, null)::graphile_worker.job_spec
      from generate_series(1, 2500) as n))`)
  await pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool_a' where key = 'k1'`)
  expect(await pull()).toBe(2499)
  expect(await due()).not.toContain('k1')
})

test('a delivery that waits longer than the longest retry delay becomes due, with its job', async () => {
  const { team } = await aTeamWithKey(services)
  await pool.query(
    `insert into webhook_subscriptions (id, team_id, address, events, secret, created_at) values ('hook_a', $1, 'https://x.test', '{generation.completed}', '\\x00', now())`,
    [team.id],
  )
  const aDelivery = async (number: number, minutes: number) => {
    await pool.query(
      `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state, next_attempt_at, retries_left)
         values ($1, 'hook_a', $2, 'generation.completed', '\\x00', now(), 'retrying', now() + $3 * interval '1 minute', 3)`,
      [newId('evt'), number, minutes],
    )
  }
  for (const [number, minutes] of [
    [1, 5],
    [2, 24],
    [3, 26],
    [4, 288_000],
  ] as const)
    await aDelivery(number, minutes)
  await queue('deliverWebhooks', 5, 'webhook:hook_a')
  expect(await pull()).toBe(2)
  const { rows } = await pool.query('select event_number as number from webhook_deliveries where next_attempt_at <= now() order by 1')
  expect(rows.map(({ number }) => number)).toEqual([3, 4])
  expect(await due()).toEqual(['webhook:hook_a'])
})

test('a lock of a family, and a sign-in delay, beyond their maximum are removed', async () => {
  await pool.query(
    `insert into breakers (subject, locked_until) values ('family:near', now() + interval '9 minutes'), ('family:far', now() + interval '200 days')`,
  )
  await pool.query(`insert into auth.sign_in_counts (subject, tries, counted_at, next_at) values
    ('account:near', 1, now(), now() + interval '15 minutes'), ('account:far', 1, now(), now() + interval '200 days'), ('account:none', 1, now(), '-infinity')`)
  expect(await pull()).toBe(2)
  expect((await pool.query('select subject from breakers where locked_until > now()')).rows).toEqual([{ subject: 'family:near' }])
  expect((await pool.query('select subject from auth.sign_in_counts where next_at > now()')).rows).toEqual([{ subject: 'account:near' }])
})
