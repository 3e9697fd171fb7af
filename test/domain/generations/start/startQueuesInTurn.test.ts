import { afterAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../../src/domain/context.ts'
import { cancelGeneration } from '../../../../src/domain/generations/ending/cancelGeneration.ts'
import { endGeneration } from '../../../../src/domain/generations/ending/endGeneration.ts'
import { reconcileGenerations } from '../../../../src/domain/generations/steps/reconcileGenerations.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { manualStartQueue } from '../../../support/generations/manualStartQueue.ts'
import { vendorServices } from '../../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)
const familyId = 'vendor-image'
const width = 8
const { clear, context, dropJobs, start, startMany, nextJob, take, taken, takeMany, countOf, submitsQueued, parked } = manualStartQueue(
  own,
  familyId,
)

beforeEach(clear)

test('a start that comes while the only earlier one is being claimed becomes the head of its queue', async () => {
  const [many, few] = [await aTeamWithKey(own.services, { credits: 1_000 }), await aTeamWithKey(own.services, { credits: 1_000 })]
  await startMany(many, 60)
  const first = await start(few)
  const late = await transaction(context, async (inside) => {
    await taken(first, inside)
    // Another process starts work before the claim commits.
    return await start(few)
  })
  await dropJobs([first])
  await reconcileGenerations(context)
  expect((await takeMany(4)).includes(late)).toBe(true)
})

test("the job queue has only a few of a team's waiting starts in a family, and they are claimed in the order of their starts", async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 30)
  expect([await submitsQueued(), await parked()]).toEqual([width, 22])
  expect(await takeMany(30)).toEqual(ids)
  expect([await submitsQueued(), await countOf('waiting_starts')]).toEqual([0, 0])
})

test('starts of one batch are queued like starts that come one by one', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  await Promise.all(Array.from({ length: 30 }, () => start(team)))
  expect([await submitsQueued(), await parked()]).toEqual([width, 22])
  expect(new Set(await takeMany(30)).size).toBe(30)
})

test('two teams alternate; a later team is served at once beside any backlog', async () => {
  const [many, few] = [await aTeamWithKey(own.services, { credits: 1_000 }), await aTeamWithKey(own.services, { credits: 1_000 })]
  await startMany(many, 50)
  await takeMany(5)
  const late = new Set(await startMany(few, 6))
  const turns = (await takeMany(14)).map((id) => (late.has(id) ? 'few' : 'many'))
  const inTurn = Array.from({ length: 6 }, () => ['few', 'many']).flat()
  expect(turns).toEqual([...inTurn, 'many', 'many'])
})

test('with several free slots at once, two teams get equal shares', async () => {
  const [many, few] = [await aTeamWithKey(own.services, { credits: 1_000 }), await aTeamWithKey(own.services, { credits: 1_000 })]
  await startMany(many, 50)
  const late = new Set(await startMany(few, 6))
  const { rows } = await own.services.pool.query<{ id: string }>(
    `select payload->>'generationId' as id from graphile_worker._private_jobs
       where run_at <= now() and payload->>'generationId' is not null order by priority, run_at limit 6`,
  )
  expect(rows.filter(({ id }) => late.has(id))).toHaveLength(3)
})

test('a rare team is served before teams with a backlog, and a recently served team waits for them', async () => {
  const [many, few] = [await aTeamWithKey(own.services, { credits: 1_000 }), await aTeamWithKey(own.services, { credits: 1_000 })]
  const backlog = await startMany(many, 20)
  await takeMany(3)
  const isOf = async () => (backlog.includes(await take()) ? 'many' : 'few')
  await start(few)
  expect(await isOf()).toBe('few')
  await start(few)
  expect([await isOf(), await isOf()]).toEqual(['many', 'few'])
  expect(await isOf()).toBe('many')
  await start(few)
  expect(await isOf()).toBe('few')
})

test('cancelled work leaves its queue at once for free, with its job, and the next work of the team follows', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 12)
  const cancel = (id = '') => cancelGeneration(team.context, team.spender, id)
  expect(await cancel(ids[10])).toMatchObject({ cancelled: true, creditsCharged: 0, creditsReturned: 1.5 })
  expect(await cancel(ids[0])).toMatchObject({ cancelled: true, creditsCharged: 0, creditsReturned: 1.5 })
  expect([await submitsQueued(), await parked()]).toEqual([width, 2])
  expect(await takeMany(10)).toEqual(ids.filter((_, index) => index !== 0 && index !== 10))
})

test('a trial of a locked family does not wait in a start queue', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  await startMany(team, 20)
  const line = await countOf('waiting_starts')
  await own.services.pool.query(`insert into breakers (subject, locked_until) values ('family:${familyId}', present())`)
  await context.breakers.refresh()
  const trial = await start(team)
  expect([await nextJob(), await countOf('waiting_starts')]).toEqual([trial, line])
  await own.services.pool.query('delete from breakers')
  await context.breakers.refresh()
})

test('after work fails without a claim, the next one follows', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 10)
  await endGeneration(context, ids[0] ?? '', { by: 'job', to: 'failed', failure: { code: 'model_unavailable', reason: 'model_offline' } })
  expect([await nextJob(), await parked(), await submitsQueued()]).toEqual([ids[1], 1, width])
})
