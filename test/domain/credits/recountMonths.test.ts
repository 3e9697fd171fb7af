import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { accountIdOf } from '../../../src/domain/access/spender.ts'
import { spendThisMonthOf } from '../../../src/domain/credits/monthlyCeiling.ts'
import { recountMonths } from '../../../src/domain/credits/recountMonths.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, logged, close } = await testServices()
const { pool } = services
afterAll(close)
const goOn = () => false

/** Starts one generation for 8 credits, and charges it. */
async function charge({ context, spender }: TeamWithKey): Promise<void> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', axes: { version: 'pro' } }
  const { generation } = await startGeneration(context, spender, { request, idempotencyKey: undefined })
  await endAtOnce(context, generation.generationId, { to: 'cancelled', charged: true })
}

async function spent({ context, key, spender: { accountId } }: TeamWithKey): Promise<number[]> {
  const both = await Promise.all([spendThisMonthOf(context, { keyId: key.id }), spendThisMonthOf(context, { accountId })])
  return both.map(({ spentThisMonth }) => spentThisMonth / 100)
}

/** Sets the charges of the month to what a release without them leaves. */
async function setMonth({ key, spender }: TeamWithKey, month: string, charged: number): Promise<void> {
  for (const [table, id] of [['api_keys', key.id] as const, ['credit_accounts', spender.accountId] as const])
    await pool.query(`update ${table} set charged_month = $2, charged_in_month = $3 where id = $1`, [id, month, charged])
}

test('charges that a release without monthly ceilings did not count are added once, of this month only', async () => {
  await clock.set('2027-01-31T12:00:00.000Z')
  const [missed, partly, exact] = [await aTeamWithKey(services), await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const team of [missed, partly, exact]) await charge(team)
  await clock.set('2027-02-01T12:00:00.000Z')
  for (const team of [missed, partly, exact]) for (let count = 0; count < 2; count++) await charge(team)
  await setMonth(missed, '-infinity', 0)
  await setMonth(partly, '2027-02-01', 800)
  expect(await recountMonths(missed.context, goOn)).toBe(4)
  for (const team of [missed, partly, exact]) expect(await spent(team)).toEqual([16, 16])
  expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(4)
  await charge(missed)
  expect(await recountMonths(missed.context, goOn)).toBe(0)
  expect(await spent(missed)).toEqual([24, 24])
})

test('charges of a month that is over, and of one that has just begun, stay as they are', async () => {
  await clock.set('2027-04-30T23:00:00.000Z')
  const [old, ahead] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const team of [old, ahead]) await charge(team)
  await setMonth(ahead, '2027-05-01', 300)
  expect(await recountMonths(old.context, goOn)).toBe(0)
  expect(await spent(ahead)).toEqual([3, 3])
  await clock.set('2027-05-02T00:00:00.000Z')
  await setMonth(ahead, '2027-05-01', 0)
  expect(await recountMonths(old.context, goOn)).toBe(0)
  expect(await spent(old)).toEqual([0, 0])
})

test('a recount beside charges loses none and counts none twice', async () => {
  await clock.set('2027-06-10T00:00:00.000Z')
  const team = await aTeamWithKey(services)
  await charge(team)
  await setMonth(team, '-infinity', 0)
  const charges = Array.from({ length: 10 }, () => charge(team))
  const recounts = Array.from({ length: 6 }, () => recountMonths(team.context, goOn))
  await Promise.all([...charges, ...recounts])
  expect(await recountMonths(team.context, goOn)).toBe(0)
  expect(await spent(team)).toEqual([88, 88])
})

test('each account and key is compared with its own usage of this month', async () => {
  await clock.set('2027-06-30T12:00:00.000Z')
  const [drifting, exact] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  await charge(drifting)
  await clock.set('2027-07-15T12:00:00.000Z')
  for (const team of [drifting, exact, exact]) await charge(team)
  await setMonth(drifting, '2027-07-01', 1600)
  logged.length = 0
  expect(await recountMonths(drifting.context, goOn)).toBe(2)
  expect([await spent(drifting), await spent(exact)]).toEqual([
    [8, 8],
    [16, 16],
  ])
  expect(logged.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toMatchObject([
    { changeCredits: -8 },
    { changeCredits: -8 },
  ])
})

test.each([
  ['key', 'api_keys', '2027-08-15T12:00:00.000Z'],
  ['account', 'credit_accounts', '2027-09-15T12:00:00.000Z'],
] as const)('a recount of the charges of one %s waits for an end that is being committed, and includes it', async (what, table, now) => {
  await clock.set(now)
  const team = await aTeamWithKey(services)
  await charge(team)
  const [place, id] = what === 'key' ? [0, team.key.id] : [1, team.spender.accountId]
  await pool.query(`update ${table} set charged_in_month = 100 where id = $1`, [id])
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`update ${table} set charged_in_month = charged_in_month + 800 where id = $1`, [id])
  await client.query('update usage_days set charged = charged + 800 where account_id = $1', [team.spender.accountId])
  const recounting = recountMonths(team.context, goOn)
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  await client.query('commit')
  client.release()
  await recounting
  expect((await spent(team))[place]).toBe(16)
})

test('each account is recounted by itself, so that one that is locked does not delay those before it', async () => {
  await clock.set('2027-10-15T12:00:00.000Z')
  const teams = [await aTeamWithKey(services), await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const team of teams) await charge(team)
  for (const team of teams) await setMonth(team, '-infinity', 0)
  const [first, second, last] = teams.toSorted((one, other) => (one.spender.accountId < other.spender.accountId ? -1 : 1))
  if (!first || !second || !last) throw new Error('three teams')
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from credit_accounts where id = $1 for update', [second.spender.accountId])
  const recounting = recountMonths(first.context, goOn, 2)
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  expect([await spent(first), await spent(second), await spent(last)]).toEqual([
    [8, 8],
    [0, 0],
    [0, 0],
  ])
  await client.query('commit')
  client.release()
  expect(await recounting).toBe(6)
  for (const team of teams) expect(await spent(team)).toEqual([8, 8])
})

test('a run that has to end leaves the other accounts to the next run', async () => {
  await clock.set('2027-11-15T12:00:00.000Z')
  const [first, second] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  for (const team of [first, second]) await charge(team)
  for (const team of [first, second]) await setMonth(team, '-infinity', 0)
  let asked = 0
  expect(await recountMonths(first.context, () => asked++ > 0, 100)).toBe(2)
  expect(await recountMonths(first.context, () => true)).toBe(0)
  expect(await recountMonths(first.context, goOn)).toBe(2)
})

test('a key of a team counts what it spent from the account of its issuer, and a key without a team what it spent', async () => {
  await clock.set('2027-12-15T12:00:00.000Z')
  const team = await aTeamWithKey(services, { subscriptionActive: true })
  const userId = team.user.id
  const own = (await issueKey(aServiceContext(services), { userId, name: 'own', scopes: ['mcp'] })).apiKey
  await charge(team)
  await pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, charged)
       values ($1, $2, '2027-12-15', $3, 'kite', 500), ($1, $4, '2027-12-15', $5, 'kite', 300)`,
    [accountIdOf(userId), team.team.id, team.key.id, userId, own.id],
  )
  logged.length = 0
  expect(await recountMonths(team.context, goOn)).toBe(3)
  expect(await spent(team)).toEqual([13, 8])
  expect((await spendThisMonthOf(team.context, { accountId: accountIdOf(userId) })).spentThisMonth).toBe(800)
  expect((await spendThisMonthOf(team.context, { keyId: own.id })).spentThisMonth).toBe(300)
})

async function waiting(): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}
