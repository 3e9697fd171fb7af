import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../../src/domain/access/keys/rotateKey.ts'
import { type Spender, spenderOf } from '../../../src/domain/access/spender.ts'
import { removeTeamMember, setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { nearestLimits } from '../../../src/domain/credits/nearestLimits.ts'
import { workUnderWay } from '../../../src/domain/credits/workUnderWay.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import type { ApiKey } from '../../../src/entities/ApiKey.ts'
import { actorOf, aServiceContext, aTeam, aUser } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

type Limits = { dailyLimitCredits?: number; monthlyLimitCredits?: number; singleLimitCredits?: number }

async function aKey(teamId: string, userId: string, name: string, limits: Limits) {
  const { apiKey } = await issueKey(tool, { teamId, userId, name, scopes: ['generations:write'], ...limits })
  const actor = actorOf(apiKey)
  return { key: apiKey, context: contextFor(services, actor), spender: spenderOf(actor) }
}

/** Starts the given number of drafts, each for 1 credit. */
async function started({ context, spender }: { context: Context; spender: Spender }, count: number): Promise<string[]> {
  const starts = Array.from({ length: count }, () =>
    startGeneration(context, spender, { request: { familyId: 'sandbox-image', prompt: 'a boat' }, idempotencyKey: undefined }),
  )
  return (await Promise.all(starts)).map(({ generation }) => String(generation['generationId']))
}

const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }

/** The limits in order, each with its kind, the name of its key, and the credits left. */
async function listed(teamId: string, keys: ApiKey[] = [], first = 5): Promise<unknown[]> {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return (await nearestLimits(tool, teamId, first)).map(({ kind, keyId, left }) => [kind, names.get(keyId ?? '') ?? keyId, left / 100])
}

test('a team without ceilings is limited only by its credits', async () => {
  const { team } = await aTeam(services, { credits: 12 })
  expect(await listed(team.id)).toEqual([['credits', null, 12]])
  expect(await listed('team_unknown')).toEqual([])
})

test('the nearest daily ceiling of a used key comes before credits that last longer', async () => {
  const { team, user } = await aTeam(services, { credits: 20 })
  const bot = await aKey(team.id, user.id, 'bot', { dailyLimitCredits: 5 })
  const wide = await aKey(team.id, user.id, 'wide', { dailyLimitCredits: 100, singleLimitCredits: 4 })
  const idle = await aKey(team.id, user.id, 'idle', { dailyLimitCredits: 2 })
  const [first] = await started(bot, 3)
  await endAtOnce(bot.context, String(first), { to: 'ready', result: image })
  await started(wide, 1)
  expect(await listed(team.id, [bot.key, wide.key, idle.key])).toEqual([
    ['daily_ceiling', 'bot', 2],
    ['credits', null, 16],
    ['daily_ceiling', 'wide', 99],
    ['daily_ceiling', 'idle', 2],
    ['single_ceiling', 'wide', 4],
  ])
  const [nearest] = await nearestLimits(tool, team.id, 5)
  expect(nearest).toMatchObject({ limit: 500, spent: 100, held: 200, resetsAt: new Date('2026-03-11T00:00:00.000Z') })
  expect(await workUnderWay(tool, { ownerId: team.id, accountId: bot.spender.accountId })).toEqual({
    queued: 3,
    running: 0,
    finalizing: 0,
    held: 300,
  })
})

test('monthly ceilings of used keys and the budget of the team are listed by the credits left', async () => {
  const { team, user } = await aTeam(services, { credits: 20 })
  const bot = await aKey(team.id, user.id, 'bot', { monthlyLimitCredits: 5 })
  const idle = await aKey(team.id, user.id, 'idle', { monthlyLimitCredits: 1 })
  await updateTeam(tool, { id: team.id, monthlyLimitCredits: 10 })
  await started(bot, 2)
  expect(await listed(team.id, [bot.key, idle.key])).toEqual([
    ['monthly_ceiling', 'bot', 3],
    ['team_monthly_ceiling', null, 8],
    ['credits', null, 18],
    ['monthly_ceiling', 'idle', 1],
  ])
  const [nearest] = await nearestLimits(tool, team.id, 5)
  expect(nearest).toMatchObject({ limit: 500, spent: 0, held: 200, resetsAt: new Date('2026-04-01T00:00:00.000Z') })
})

test('among a few ceilings, those of used keys are listed rather than lower ones of idle keys', async () => {
  const { team, user } = await aTeam(services, { credits: 20 })
  const bot = await aKey(team.id, user.id, 'bot', { dailyLimitCredits: 10, monthlyLimitCredits: 10 })
  await aKey(team.id, user.id, 'idle', { dailyLimitCredits: 2, monthlyLimitCredits: 2 })
  const [first] = await started(bot, 2)
  await endAtOnce(bot.context, String(first), { to: 'ready', result: image })
  expect(await listed(team.id, [bot.key], 1)).toEqual([
    ['daily_ceiling', 'bot', 8],
    ['monthly_ceiling', 'bot', 8],
    ['credits', null, 18],
  ])
})

test('an exhausted daily ceiling comes first, until the end of the day', async () => {
  const { team, user } = await aTeam(services)
  const bot = await aKey(team.id, user.id, 'bot', { dailyLimitCredits: 2 })
  for (const id of await started(bot, 2)) await endAtOnce(bot.context, id, { to: 'ready', result: image })
  expect((await listed(team.id, [bot.key]))[0]).toEqual(['daily_ceiling', 'bot', 0])
  await clock.set('2026-03-11T00:00:00.000Z')
  expect(await listed(team.id, [bot.key])).toEqual([
    ['credits', null, 998],
    ['daily_ceiling', 'bot', 2],
  ])
})

test('limits that close the team come first, in the order of the checks of a start', async () => {
  const { team } = await aTeam(services)
  await updateTeam(tool, { id: team.id, planExpiresAt: clock.now() })
  expect(await listed(team.id)).toEqual([
    ['plan_ended', null, 0],
    ['credits', null, 1000],
  ])
  await updateTeam(tool, { id: team.id, externalAccess: false, blocked: true })
  expect((await listed(team.id)).slice(0, 3)).toEqual([
    ['team_blocked', null, 0],
    ['access_closed', null, 0],
    ['plan_ended', null, 0],
  ])
})

test('ceilings of unusable keys are not listed', async () => {
  const { team, user } = await aTeam(services)
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  const revoked = await aKey(team.id, user.id, 'revoked', { dailyLimitCredits: 0 })
  const ended = await aKey(team.id, user.id, 'ended', { dailyLimitCredits: 0 })
  await services.pool.query('update api_keys set expires_at = present() where id = $1', [ended.key.id])
  await aKey(team.id, admin.id, 'left behind', { dailyLimitCredits: 0, singleLimitCredits: 0 })
  expect(await listed(team.id)).toHaveLength(4)
  await revokeKey(tool, revoked.key.id)
  await removeTeamMember(tool, { teamId: team.id, userId: admin.id })
  expect(await listed(team.id)).toEqual([['credits', null, 1000]])
})

test('a key is listed while one of its values works, whoever holds the other value', async () => {
  const { team, user } = await aTeam(services)
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  const { key } = await aKey(team.id, user.id, 'rotated', { dailyLimitCredits: 0 })
  await rotateKey(contextFor(services, { kind: 'person', userId: admin.id }), { id: key.id, overlapHours: 1 })
  await removeTeamMember(tool, { teamId: team.id, userId: admin.id })
  expect(await listed(team.id)).toHaveLength(2)
  await clock.advance(3_600_000)
  expect(await listed(team.id)).toEqual([['credits', null, 1000]])
})

test('only the nearest ceilings of ten thousand keys are listed', async () => {
  const { team, user } = await aTeam(services)
  await services.pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash, daily_limit, single_limit)
       select 'key_' || $1 || n, $1, $2, n, '{generations:write}', 'atl_', sha256(($1 || n)::bytea), n * 100, n * 100 from generate_series(0, 9999) n`,
    [team.id, user.id],
  )
  expect((await listed(team.id, [], 3)).map((limit) => (limit as unknown[])[2])).toEqual([1000, 1, 2, 3])
})

test('a key that can start nothing is left out of the limits, even with a ceiling of 0', async () => {
  const { team, user } = await aTeam(services, { credits: 7 })
  const ceilings = { dailyLimitCredits: 0, monthlyLimitCredits: 0, singleLimitCredits: 0 }
  const scopes = ['generations:read', 'catalog:read'] as const
  await issueKey(tool, { teamId: team.id, userId: user.id, name: 'reader', scopes: [...scopes], ...ceilings })
  expect(await listed(team.id)).toEqual([['credits', null, 7]])
})

test('a ceiling of 0 of a key comes after all other limits, and has no reset', async () => {
  const { team, user } = await aTeam(services, { credits: 20 })
  const zero = await aKey(team.id, user.id, 'zero', { dailyLimitCredits: 0, monthlyLimitCredits: 0, singleLimitCredits: 0 })
  const bot = await aKey(team.id, user.id, 'bot', { dailyLimitCredits: 2 })
  const idle = await aKey(team.id, user.id, 'idle', { dailyLimitCredits: 9, singleLimitCredits: 3 })
  await started(bot, 2)
  expect(await listed(team.id, [zero.key, bot.key, idle.key])).toEqual([
    ['daily_ceiling', 'bot', 0],
    ['credits', null, 18],
    ['daily_ceiling', 'idle', 9],
    ['single_ceiling', 'idle', 3],
    ['daily_ceiling', 'zero', 0],
    ['monthly_ceiling', 'zero', 0],
  ])
  const zeroes = (await nearestLimits(tool, team.id, 5)).filter(({ limit }) => limit === 0)
  expect(zeroes.map(({ resetsAt }) => resetsAt)).toEqual([null, null])
})
