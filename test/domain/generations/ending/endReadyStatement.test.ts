import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { spenderOf } from '../../../../src/domain/access/spender.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

/** The guarantees of the SQL function `end_stored_results`. */
const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const { pool } = services
const context = contextFor(services, { kind: 'system' })

type Words = { reference?: string; metadata?: Record<string, string> }

/** A started generation whose outputs are recorded. */
async function finalizing({ context, spender }: TeamWithKey, words: Words = {}): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a boat', ...words }
  const { generationId } = (await startGeneration(context, spender, { request })).generation
  await pool.query(`update generations set state = 'finalizing' where id = $1`, [generationId])
  return generationId
}

type Ended = { generation: string; isSubscribed: boolean; hasFaults: boolean }

async function end(team: TeamWithKey, ids: string[], by: pg.Pool | pg.PoolClient = pool): Promise<Ended[]> {
  const image = JSON.stringify({
    storageKey: 'none',
    mimeType: 'image/png',
    sizeBytes: 1,
    sha256: '',
    width: 1,
    height: 1,
    durationSeconds: null,
  })
  const { rows } = await by.query<Ended>(
    `select generation, is_subscribed as "isSubscribed", has_faults as "hasFaults"
       from end_stored_results($1, $2, array_fill(0, array[cardinality($2::text[])]), array_fill($3::text, array[cardinality($2::text[])]),
         array_fill(null::text, array[cardinality($2::text[])]), '{finalizing}', '{}', 1)`,
    [team.spender.accountId, ids, image],
  )
  return rows
}

async function withClient<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release(true)
  }
}

test('an end reports whether an active subscription of its own team wants the event', async () => {
  const [own, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  await aSubscription(services, other, 'http://127.0.0.1:9/')
  await aSubscription(services, own, 'http://127.0.0.1:9/failed', ['generation.failed'])
  const isSubscribed = async () => (await end(own, [await finalizing(own)]))[0]?.isSubscribed
  expect(await isSubscribed()).toBe(false)
  const { subscription } = await aSubscription(services, own, 'http://127.0.0.1:9/')
  expect(await isSubscribed()).toBe(true)
  await pool.query('update webhook_subscriptions set paused = true where id = $1', [subscription.id])
  expect(await isSubscribed()).toBe(false)
})

test('an end reports whether a breaker has faults or is open, and ends its own trial without an outcome', async () => {
  const team = await aTeamWithKey(services)
  const hasFaults = async () => (await end(team, [await finalizing(team)]))[0]?.hasFaults
  expect(await hasFaults()).toBe(false)
  await pool.query(`insert into breakers (subject) values ('vendor:idle')`)
  expect(await hasFaults()).toBe(false)
  await pool.query(`insert into breakers (subject, faults) values ('vendor:failing', 1)`)
  expect(await hasFaults()).toBe(true)
  const [trial] = [await finalizing(team)]
  await pool.query('delete from breakers')
  await pool.query(
    `insert into breakers (subject, locked_until, trial_by, trial_until)
       select subject, present(), trial, present() from unnest(array['vendor:own', 'vendor:other'], array[$1, 'gen_other']) each (subject, trial)`,
    [trial],
  )
  expect(await end(team, [trial])).toEqual([{ generation: trial, isSubscribed: false, hasFaults: true }])
  const { rows } = await pool.query('select subject, trial_by as trial from breakers order by subject')
  expect(rows).toEqual([
    { subject: 'vendor:other', trial: 'gen_other' },
    { subject: 'vendor:own', trial: null },
  ])
  await pool.query('delete from breakers')
})

test('ends count their references and their metadata', async () => {
  const team = await aTeamWithKey(services)
  const words: Words[] = [{ reference: 'order 1' }, { metadata: { project: 'harbour' } }, {}]
  const ids: string[] = []
  for (const each of words) ids.push(await finalizing(team, each))
  expect(await end(team, ids)).toHaveLength(3)
  const { rows } = await pool.query('select name, value, ready::integer from usage_labels where owner_id = $1 order by name', [
    team.team.id,
  ])
  expect(rows).toEqual([
    { name: '', value: 'order 1', ready: 1 },
    { name: 'project', value: 'harbour', ready: 1 },
  ])
})

test('ends charge starts of a person to the day of that person', async () => {
  const team = await aTeamWithKey(services)
  const person = { ...team, spender: spenderOf({ kind: 'person', userId: team.user.id }, team.team.id) }
  expect(await end(team, [await finalizing(person), await finalizing(person), await finalizing(team)])).toHaveLength(3)
  const { rows } = await pool.query(
    'select user_id, held_open::integer, charged_on_day::integer from person_spending where account_id = $1',
    [team.spender.accountId],
  )
  expect(rows).toEqual([{ user_id: team.user.id, held_open: 0, charged_on_day: 200 }])
})

test('an end leaves the open generations of other teams counted', async () => {
  const [own, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const [first, second] = [await finalizing(own), await finalizing(other)]
  expect(await end(own, [first])).toHaveLength(1)
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
  expect(await end(other, [second])).toHaveLength(1)
})

test('a later end on the same connection is counted, too', async () => {
  const team = await aTeamWithKey(services)
  const [first, second] = [await finalizing(team), await finalizing(team)]
  await withClient(async (client) => {
    await end(team, [first], client)
    await client.query(`select end_generation($1, '{finalizing}', 'cancelled', null, false, null, null)`, [second])
  })
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('an end waits for its account before it locks its count, and for no other account', async () => {
  const [own, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const [first, second] = [await finalizing(own), await finalizing(own)]
  await withClient(async (client) => {
    await client.query('begin')
    await client.query('select from credit_accounts where id = $1 for update', [other.spender.accountId])
    expect(await end(own, [first])).toHaveLength(1)
    await client.query('select from credit_accounts where id = $1 for update', [own.spender.accountId])
    const ending = end(own, [second])
    await expect.poll(waiting, { interval: 5 }).toBe(1)
    await client.query('select from open_work where owner_id = $1 for update nowait', [own.team.id])
    await client.query('commit')
    expect(await ending).toHaveLength(1)
  })
})

async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}
