import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { limits } from '../../../../src/contract/limits.ts'
import { spenderOf } from '../../../../src/domain/access/spender.ts'
import { setTeamRuns } from '../../../../src/domain/access/teams/teamRuns.ts'
import { insertFile, markReady } from '../../../../src/domain/files/fileRows.ts'
import { insertStarts, type NewStart } from '../../../../src/domain/generations/start/insertStarts.ts'
import { newGeneration } from '../../../../src/domain/generations/start/newGeneration.ts'
import { planGeneration } from '../../../../src/domain/generations/start/planGeneration.ts'
import { bindSql } from '../../../../src/domain/sql.ts'
import type { Generation } from '../../../../src/entities/Generation.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

/** The guarantees of the SQL function `start_generations`. */
const { services, clock, close } = await testServices()
afterAll(close)
const { pool } = services
const operator = aServiceContext(services)
const days = 86_400_000

type Changes = Partial<Omit<NewStart, 'row'>> & { row?: Partial<Generation> }

/** A new start of one credit. */
async function aStart({ context, spender }: TeamWithKey, { row, ...start }: Changes = {}): Promise<NewStart> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
  const made = newGeneration(context, spender, request, await planGeneration(context, spender, request))
  return { inputs: [], idempotency: undefined, ...start, row: { ...made, ...row } }
}

const insert = (starts: NewStart[]) => insertStarts(operator, starts, { waitForLocks: true })
const unknownKey = { row: { keyId: newId('key') } }

async function inTransaction<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const value = await work(client)
    await client.query('commit')
    return value
  } finally {
    client.release()
  }
}

async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

test.each([
  ['account', 'update credit_accounts set held = balance where id = $1', 'insufficient_credits'],
  [
    'count of open generations',
    'update open_work set open = 5 where owner_id = (select team_id from credit_accounts where id = $1)',
    'too_many_open',
  ],
  [
    'key',
    'update api_keys set held_open = daily_limit where team_id = (select team_id from credit_accounts where id = $1)',
    'spend_limit_exceeded',
  ],
])('a start waits for a change of its %s, and decides by the changed amount', async (_what, change, verdict) => {
  const team = await aTeamWithKey(services, { dailyLimitCredits: 5 })
  await pool.query(`insert into open_work (owner_id, family_id, open) values ($1, 'sandbox-image', 0)`, [team.team.id])
  const start = await aStart(team, { openMax: 5 })
  const starting = await inTransaction(async (client) => {
    await client.query(change, [team.spender.accountId])
    const verdicts = insert([start])
    await expect.poll(waiting, { interval: 5 }).toBe(1)
    return { verdicts }
  })
  expect(await starting.verdicts).toEqual([verdict])
})

test.each([
  [true, '2s'],
  [false, '500ms'],
])('a call with waitForLocks %s waits %s for a lock, and leaves the limit of its connection unchanged', async (waitForLocks, limit) => {
  const start = await aStart(await aTeamWithKey(services))
  const client = await pool.connect()
  const read = async () => (await client.query('show lock_timeout')).rows[0].lock_timeout
  const before = await read()
  await client.query('begin')
  expect(await insertStarts({ ...operator, sql: bindSql(client) }, [start], { waitForLocks })).toEqual(['started'])
  expect(await read()).toBe(limit)
  await client.query('commit')
  expect(await read()).toBe(before)
  client.release()
})

test('the first starts of a team in a family cannot be together more than may be open', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const elsewhere = await aStart(team, { row: { familyId: 'sandbox-audio' } })
  expect(await insert([elsewhere, await aStart(other)])).toEqual(['started', 'started'])
  const starts = [await aStart(team, { openMax: 2 }), await aStart(team, { openMax: 2 }), await aStart(team, { openMax: 2 })]
  expect(await insert(starts)).toEqual(['crowded', 'crowded', 'crowded'])
  expect(await insert(starts.slice(1))).toEqual(['started', 'started'])
  expect(await insert(starts.slice(0, 1))).toEqual(['too_many_open'])
})

test.each([
  ['daily', { dailyLimitCredits: 0.5, monthlyLimitCredits: 5 }],
  ['monthly', { dailyLimitCredits: 5, monthlyLimitCredits: 0.5 }],
])('of two ceilings of a key the lower one counts: the %s one', async (_which, ceilings) => {
  expect(await insert([await aStart(await aTeamWithKey(services, ceilings))])).toEqual(['spend_limit_exceeded'])
})

test('a ceiling for people does not limit a key that starts in the same batch', async () => {
  const team = await aTeamWithKey(services)
  await setTeamRuns(operator, { teamId: team.team.id, dailyLimitCredits: 1.5 })
  const price = 200 as Generation['price']
  const person = spenderOf({ kind: 'person', userId: team.user.id }, team.team.id)
  const starts = [await aStart(team, { row: { price } }), await aStart({ ...team, spender: person }, { row: { price } })]
  expect(await insert(starts)).toEqual(['started', 'spend_limit_exceeded'])
})

test('of a batch, only starts that were not refused record their callback and their idempotency key', async () => {
  const team = await aTeamWithKey(services)
  const callback = { subscriptionId: newId('hook'), url: 'https://example.test/', events: ['generation.completed'] }
  const idempotency = (key: string) => ({ scope: team.team.id, key, fingerprint: Buffer.from('00'), response: '{}' })
  const both = await aStart(team, { callback, idempotency: idempotency('order 1') })
  const neither = await aStart(team)
  const refused = await aStart(team, { ...unknownKey, callback, idempotency: idempotency('order 2') })
  expect(await insert([both, neither, refused])).toEqual(['started', 'started', 'invalid_token'])
  const callbacks = await pool.query('select generation_id as id from callbacks where team_id = $1', [team.team.id])
  expect(callbacks.rows).toEqual([{ id: both.row.id }])
  const records = await pool.query('select key, generation_id as id from idempotency_records where scope = $1', [team.team.id])
  expect(records.rows).toEqual([{ key: 'order 1', id: both.row.id }])
})

test('a start keeps its input files for 30 days at least, and a refused one changes no file', async () => {
  const team = await aTeamWithKey(services)
  const [soon, late, refused] = [await aFile(team, 1), await aFile(team, 90), await aFile(team, 1)]
  const starts = [await aStart(team, { inputs: [soon, late] }), await aStart(team, { ...unknownKey, inputs: [refused] })]
  expect(await insert(starts)).toEqual(['started', 'invalid_token'])
  const { rows } = await pool.query('select id, used, expires_at as "expiresAt" from files where owner_id = $1 order by id', [team.team.id])
  const after = (count: number) => new Date(clock.now().getTime() + count * days)
  expect(rows).toEqual([
    { id: soon.id, used: true, expiresAt: after(limits.unusedFileDays) },
    { id: late.id, used: true, expiresAt: after(90) },
    { id: refused.id, used: false, expiresAt: after(1) },
  ])
})

async function aFile({ team, context }: TeamWithKey, expiryDays: number): Promise<{ id: string; field: 'imageIds' }> {
  const id = newId('file')
  const createdAt = clock.now()
  const known = { type: 'image', mimeType: 'image/png', width: 8, height: 8, durationSeconds: null } as const
  const stored = { declaredMimeType: null, sizeBytes: 100, storageKey: `files/${id}`, sha256: '00' }
  const expiresAt = new Date(createdAt.getTime() + expiryDays * days)
  await insertFile(context, {
    id,
    ownerId: team.id,
    userId: null,
    type: known.type,
    mimeType: known.mimeType,
    ...stored,
    createdAt,
    expiresAt,
  })
  await markReady(context, id, { ok: true, ...known })
  return { id, field: 'imageIds' }
}
