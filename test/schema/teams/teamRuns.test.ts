import { afterAll, expect, test } from 'vitest'
import { spenderOf } from '../../../src/domain/access/spender.ts'
import { setTeamRuns } from '../../../src/domain/access/teams/teamRuns.ts'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const own = await aTeamWithKey(services)
const teamId = own.team.id
const admin = await aMember(services, { teamId, role: 'admin' })
const member = await aMember(services, { teamId, role: 'member' })
const stranger = await aTeamWithKey(services)

let asking = own.user.id
const endpoint = await testEndpoint(services, { authenticateSession: async () => ({ kind: 'person', userId: asking }) })

/** Sends a document in the session of a person. Returns the data, or the refusal of the first error. */
async function as(userId: string, query: string, variables: Record<string, unknown> = {}) {
  asking = userId
  const headers = { origin: services.settings.publicUrl, 'content-type': 'application/json' }
  const response = await endpoint.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } })
  const { data, errors } = response.json()
  return errors ? { refused: errors[0].extensions as { code: string; details?: Record<string, unknown> } } : data
}

const start = `mutation ($input: GenerationInput!, $idempotencyKey: String, $teamId: ID!) {
  startGeneration(teamId: $teamId, input: $input, idempotencyKey: $idempotencyKey) {
    generation { generationId source state credits apiKey { id } startedBy { userId } } replayed
  }
}`
const boat = { familyId: 'sandbox-image', prompt: 'a boat' }
const run = (userId: string, input: object = {}, more: object = {}) => as(userId, start, { teamId, input: { ...boat, ...input }, ...more })
const cancel = (userId: string, id: string) =>
  as(userId, 'mutation ($id: ID!) { cancelGeneration(id: $id) { cancelled creditsReturned } }', { id })
const idOf = (started: { startGeneration: { generation: { generationId: string } } }) => started.startGeneration.generation.generationId
const runs = (userId: string) =>
  as(
    userId,
    `{ team(id: "${teamId}") { membersMayRun runDailyLimitCredits personRuns(userId: "${userId}") { blocker spentTodayCredits heldCredits leftTodayCredits } } }`,
  )
const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 10, sha256: '', width: 8, height: 8, durationSeconds: null }

test('an owner starts a generation on the credits of the team, once for one idempotency key', async () => {
  const first = await run(own.user.id, { maxCredits: 1 }, { idempotencyKey: 'page' })
  expect(first.startGeneration).toMatchObject({
    replayed: false,
    generation: { source: 'EDITOR', state: 'QUEUED', credits: 1, apiKey: null, startedBy: { userId: own.user.id } },
  })
  expect((await run(own.user.id, { maxCredits: 1 }, { idempotencyKey: 'page' })).startGeneration).toEqual({
    ...first.startGeneration,
    replayed: true,
  })
  expect((await run(admin.id, { axes: { version: 'pro' }, maxCredits: 7 })).refused).toMatchObject({ code: 'cost_above_limit' })
  expect((await run(stranger.user.id)).refused).toMatchObject({ code: 'access_denied' })
})

test('an idempotency key of a person is not that of another person, nor of a program of the team', async () => {
  const idempotencyKey = 'order-1'
  const first = await run(own.user.id, {}, { idempotencyKey })
  expect((await run(admin.id, {}, { idempotencyKey })).startGeneration).toMatchObject({
    replayed: false,
    generation: { startedBy: { userId: admin.id } },
  })
  const spender = spenderOf(own.context.actor)
  const { generation, replayed } = await startGeneration(own.context, spender, { request: boat, idempotencyKey })
  expect(replayed || generation.generationId === idOf(first)).toBe(false)
  expect((await run(own.user.id, { prompt: 'a ship' }, { idempotencyKey })).refused).toMatchObject({
    code: 'idempotency_conflict',
    details: { idempotencyKey },
  })
})

test('a member runs only after an administrator allowed it', async () => {
  expect((await run(member.id)).refused).toMatchObject({ code: 'access_denied', details: { cause: 'role' } })
  expect((await runs(member.id)).team).toMatchObject({ membersMayRun: false, personRuns: { blocker: 'MEMBERS_NOT_ALLOWED' } })
  const allow = `mutation { setTeamRuns(input: { teamId: "${teamId}", membersMayRun: true }) { membersMayRun } }`
  expect((await as(member.id, allow)).refused).toMatchObject({ code: 'access_denied' })
  expect(await as(admin.id, allow)).toEqual({ setTeamRuns: { membersMayRun: true } })
  expect((await runs(member.id)).team).toMatchObject({ personRuns: { blocker: null } })
  expect((await run(member.id)).startGeneration.generation).toMatchObject({ source: 'EDITOR' })
})

test('the ceiling of a person counts held and charged credits of the day, also among starts that arrive together', async () => {
  await clock.set('2027-03-10T22:00:00.000Z')
  await setTeamRuns(tool, { teamId, dailyLimitCredits: 5 })
  const runner = await aMember(services, { teamId, role: 'admin' })
  const many = await Promise.all(Array.from({ length: 4 }, () => run(runner.id, { axes: { version: 'standard' } })))
  const started = many.filter((each) => each.startGeneration)
  expect(started).toHaveLength(2)
  expect(many.find((each) => each.refused)?.refused).toMatchObject({
    code: 'spend_limit_exceeded',
    details: { limitKind: 'daily', limitOwner: 'person', limitCredits: 5, heldCredits: 4, spentCredits: 0 },
  })
  expect((await runs(runner.id)).team.personRuns).toEqual({ blocker: null, spentTodayCredits: 0, heldCredits: 4, leftTodayCredits: 1 })
  expect(
    (
      await as(
        runner.id,
        `{ estimate(teamId: "${teamId}", input: { familyId: "sandbox-image", prompt: "a boat", axes: { version: "pro" } }) { blockers } }`,
      )
    ).estimate.blockers,
  ).toEqual(['spend_limit_exceeded'])
  await endAtOnce(tool, idOf(started[0]), { to: 'ready', result: image })
  await endAtOnce(tool, idOf(started[1]), { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
  expect((await runs(runner.id)).team.personRuns).toMatchObject({ spentTodayCredits: 2, heldCredits: 0, leftTodayCredits: 3 })
  expect((await run(admin.id)).startGeneration).toBeDefined()
  await clock.set('2027-03-11T00:00:00.000Z')
  expect((await runs(runner.id)).team.personRuns).toMatchObject({ spentTodayCredits: 0, leftTodayCredits: 5 })
  await setTeamRuns(tool, { teamId, dailyLimitCredits: null })
  expect((await checkBooks(tool)).faults).toEqual([])
})

test('a run is cancelled by who started it and by managers, and by no key', async () => {
  const id = idOf(await run(member.id))
  const other = await aMember(services, { teamId, role: 'member' })
  expect((await cancel(other.id, id)).refused).toMatchObject({ code: 'access_denied' })
  const byKey = await endpoint.ask(
    'mutation ($id: ID!) { cancelGeneration(id: $id) { cancelled } }',
    { id },
    { authorization: `Bearer ${own.value}` },
  )
  expect(byKey.status).not.toBe(200)
  expect(await cancel(member.id, id)).toEqual({ cancelGeneration: { cancelled: true, creditsReturned: 1 } })
  const ofOwner = idOf(await run(own.user.id))
  expect((await cancel(member.id, ofOwner)).refused).toMatchObject({ code: 'access_denied' })
  expect((await cancel(admin.id, ofOwner)).cancelGeneration).toMatchObject({ cancelled: true })
})

test('a blocked team and an ended plan stop runs with their own refusals', async () => {
  await updateTeam(tool, { id: teamId, blocked: true })
  expect((await run(own.user.id)).refused).toMatchObject({ code: 'account_blocked' })
  await updateTeam(tool, { id: teamId, blocked: false, planExpiresAt: new Date('2020-01-01') })
  expect((await run(own.user.id)).refused).toMatchObject({ code: 'team_expired' })
  expect((await runs(own.user.id)).team.personRuns).toMatchObject({ blocker: 'PLAN_ENDED' })
  await updateTeam(tool, { id: teamId, planExpiresAt: null })
})

test('a faulty ceiling is refused, and each change is in the audit log', async () => {
  const set = (dailyLimitCredits: number) =>
    as(
      admin.id,
      `mutation { setTeamRuns(input: { teamId: "${teamId}", dailyLimitCredits: ${dailyLimitCredits} }) { runDailyLimitCredits } }`,
    )
  expect((await set(-1)).refused).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: ['dailyLimitCredits'] }] } })
  expect(await set(2.5)).toEqual({ setTeamRuns: { runDailyLimitCredits: 2.5 } })
  const { rows } = await services.pool.query(
    `select before, after from audit_entries where action = 'team.runs_set' order by at desc limit 1`,
  )
  expect(rows).toEqual([{ before: { dailyLimitCredits: null }, after: { dailyLimitCredits: 2.5 } }])
})
