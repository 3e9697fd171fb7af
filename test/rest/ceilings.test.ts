import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { updateKey } from '../../src/domain/access/keys/updateKey.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { type Answered, testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)

const draft = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const pro = { ...draft, axes: { version: 'pro' } }

const start = (key: string, body: unknown = draft) => app.ask('POST /generations', { key, body })
/** Starts again while the machine is too busy for all starts at once. */
async function startUntilDecided(key: string): Promise<Answered> {
  const answer = await start(key)
  return answer.status === 503 ? startUntilDecided(key) : answer
}
const estimate = (key: string, body: unknown = draft) => app.ask('POST /generations/estimate', { key, body })
const account = async (key: string) => (await app.ask('GET /account', { key })).body

async function end(id: string): Promise<void> {
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
}

test('the single ceiling refuses a higher price, for any balance', async () => {
  const { value: key } = await aTeamWithKey(services, { singleLimitCredits: 7.99 })
  const refusal = { code: 'spend_limit_exceeded', retryable: false, details: { limitKind: 'single', limitCredits: 7.99, credits: 8 } }
  expect(await start(key, pro)).toMatchObject({ status: 403, body: { error: refusal } })
  expect((await estimate(key, pro)).body).toMatchObject({ sufficient: true, blockers: ['spend_limit_exceeded'] })
  expect((await start(key)).status).toBe(201)
})

test('the daily ceiling counts charged and held credits, and resets at midnight in UTC', async () => {
  await clock.set('2026-03-10T23:59:58.000Z')
  const { value: key } = await aTeamWithKey(services, { dailyLimitCredits: 9 })
  const charged = await start(key, pro)
  await end(charged.body.generationId)
  await start(key)
  const refused = await start(key)
  const resetsAt = '2026-03-11T00:00:00.000Z'
  const details = { limitKind: 'daily', limitCredits: 9, credits: 1, spentCredits: 8, heldCredits: 1, resetsAt }
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'spend_limit_exceeded', retryable: true } } })
  expect(refused.body.error.details).toEqual(details)
  expect((await account(key)).key.limits.daily).toEqual({ limitCredits: 9, spentCredits: 8, heldCredits: 1, remainingCredits: 0, resetsAt })
  await clock.set('2026-03-11T00:00:00.000Z')
  const tomorrow = '2026-03-12T00:00:00.000Z'
  expect((await account(key)).key.limits.daily).toEqual({
    limitCredits: 9,
    spentCredits: 0,
    heldCredits: 1,
    remainingCredits: 8,
    resetsAt: tomorrow,
  })
  expect((await start(key, pro)).status).toBe(201)
  expect((await start(key)).status).toBe(403)
  await clock.set('2026-03-10T12:00:00.000Z')
})

test('a failed generation and a cancel in time return their part of the daily ceiling', async () => {
  const { value: key } = await aTeamWithKey(services, { dailyLimitCredits: 8 })
  const first = await start(key, pro)
  expect((await start(key)).status).toBe(403)
  await moves.fail(first.body.generationId)
  const second = await start(key, pro)
  await app.ask(`POST /generations/${second.body.generationId}/cancel`, { key })
  expect((await start(key, pro)).status).toBe(201)
})

test('with a daily ceiling for ten, exactly ten of 50 concurrent starts are accepted', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 1000, dailyLimitCredits: 10 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => startUntilDecided(key)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ body }: Answered) => body.error?.details['limitKind'] === 'daily')).toHaveLength(40)
})

test('a ceiling changes with the key settings, for the next start', async () => {
  const {
    value: key,
    key: { id },
  } = await aTeamWithKey(services, { dailyLimitCredits: 1, singleLimitCredits: 1 })
  expect((await start(key, pro)).body.error).toMatchObject({ details: { limitKind: 'single' } })
  await updateKey(operator, { id, singleLimitCredits: null })
  expect((await start(key, pro)).body.error).toMatchObject({ details: { limitKind: 'daily' } })
  await updateKey(operator, { id, dailyLimitCredits: 8 })
  expect((await start(key, pro)).status).toBe(201)
  await updateKey(operator, { id, dailyLimitCredits: 0 })
  expect((await account(key)).key.limits.daily).toMatchObject({ limitCredits: 0, remainingCredits: 0, heldCredits: 8 })
  expect((await start(key)).status).toBe(403)
})

test('a price above the daily ceiling is refused as not retryable', async () => {
  const { value: key } = await aTeamWithKey(services, { dailyLimitCredits: 7 })
  expect(await start(key, pro)).toMatchObject({
    status: 403,
    body: { error: { code: 'spend_limit_exceeded', retryable: false, details: { limitKind: 'daily', limitCredits: 7, credits: 8 } } },
  })
  expect((await start(key)).status).toBe(201)
})

test('the monthly ceilings of key and team count charged and held credits, and GET /account shows both', async () => {
  await clock.set('2026-03-31T23:00:00.000Z')
  const { value: key, team } = await aTeamWithKey(services, { monthlyLimitCredits: 10 })
  await updateTeam(operator, { id: team.id, monthlyLimitCredits: 9.5 })
  await end((await start(key, pro)).body.generationId)
  await start(key)
  const resetsAt = '2026-04-01T00:00:00.000Z'
  const details = { limitKind: 'monthly', limitOwner: 'team', limitCredits: 9.5, credits: 1, spentCredits: 8, heldCredits: 1, resetsAt }
  expect(await start(key)).toMatchObject({ status: 403, body: { error: { code: 'spend_limit_exceeded', retryable: true, details } } })
  expect((await estimate(key)).body).toMatchObject({ sufficient: true, blockers: ['spend_limit_exceeded'] })
  const used = { spentCredits: 8, heldCredits: 1, resetsAt }
  const shown = await account(key)
  expect(shown.key.limits.monthly).toEqual({ limitCredits: 10, remainingCredits: 1, ...used })
  expect(shown.team?.limits.monthly).toEqual({ limitCredits: 9.5, remainingCredits: 0.5, ...used })
  await updateTeam(operator, { id: team.id, monthlyLimitCredits: null })
  expect((await start(key, pro)).body.error).toMatchObject({ retryable: true, details: { limitKind: 'monthly', limitOwner: 'key' } })
  await clock.set('2026-04-01T00:00:00.000Z')
  expect((await account(key)).key.limits.monthly).toMatchObject({ spentCredits: 0, heldCredits: 1, resetsAt: '2026-05-01T00:00:00.000Z' })
  expect((await start(key, pro)).status).toBe(201)
  await clock.set('2026-03-10T12:00:00.000Z')
})

test('with a monthly budget for ten, exactly ten of 50 concurrent starts of two keys are accepted', async () => {
  const { value: key, team, user } = await aTeamWithKey(services, { credits: 1000 })
  const { value: other } = await issueKey(operator, { teamId: team.id, userId: user.id, name: 'other', scopes: ['generations:write'] })
  await updateTeam(operator, { id: team.id, monthlyLimitCredits: 10 })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => start(index % 2 === 0 ? key : other)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ body }: Answered) => body.error?.details['limitOwner'] === 'team')).toHaveLength(40)
})

test('the message of a refused ceiling has its kind and the numbers', async () => {
  const message = async (limits: object) => {
    const { value: key } = await aTeamWithKey(services, limits)
    await start(key)
    return (await start(key, pro)).body.error.message
  }
  expect(await message({ singleLimitCredits: 2 })).toMatch(/one generation is 2 credits.*costs 8/)
  expect(await message({ dailyLimitCredits: 8.5 })).toMatch(/a day is 8.5 credits: 0 were spent today and 1 are held, and this costs 8/)
  expect(await message({ monthlyLimitCredits: 8.5 })).toMatch(
    /a month is 8.5 credits: 0 were spent this month and 1 are held, and this costs 8/,
  )
  expect(await message({ monthlyLimitCredits: 7 })).toMatch(/a month is 7 credits; this alone costs 8/)
  expect(await message({ dailyLimitCredits: 7 })).toMatch(/a day is 7 credits; this alone costs 8/)
})

test('the books balance after all tests', async () => {
  expect(await checkBooks(operator)).toEqual({ clean: true, faults: [] })
})
