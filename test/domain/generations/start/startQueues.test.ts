import { afterAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../../src/domain/context.ts'
import { findGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { fillStartLine, pruneOwnerServedTimes } from '../../../../src/domain/generations/start/startQueues.ts'
import { reconcileGenerations } from '../../../../src/domain/generations/steps/reconcileGenerations.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { manualStartQueue } from '../../../support/generations/manualStartQueue.ts'
import { vendorServices } from '../../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)
const familyId = 'vendor-image'
const width = 8
const { clear, context, start, startMany, nextJob, taken, take, takeMany, lock, dropJobs, countOf, submitsQueued, parked } =
  manualStartQueue(own, familyId)

beforeEach(clear)

test('after another process takes a start, the next one is queued', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 10)
  await lock(ids[1])
  await taken(ids[0] ?? '')
  const { rows } = await own.services.pool.query('select generation_id as id from waiting_starts where rank = 1')
  expect(rows).toEqual([{ id: ids[2] }])
  expect(await countOf(`graphile_worker._private_jobs where payload->>'generationId' = '${ids[1]}'`)).toBe(1)
})

test('work that is parked while all earlier work is being claimed is queued within a second', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const before = await startMany(team, width)
  const late = await transaction(context, async (inside) => {
    for (const id of before) await taken(id, inside)
    return start(team)
  })
  expect([await nextJob(), await parked()]).toEqual([before[0], 1])
  await dropJobs(before)
  const { rows } = await own.services.pool.query(
    `select payload, run_at <= now() + interval '0.5 seconds' as soon from graphile_worker._private_jobs where key like 'line:%'`,
  )
  const line = { familyId, ownerId: team.team.id }
  expect(rows).toEqual([{ payload: line, soon: true }])
  await fillStartLine(context, line)
  expect([await nextJob(), await parked()]).toEqual([late, 0])
})

test('the repair finds lost jobs of every start queue, and parked work does not count as work without a job', async () => {
  const teams = [await aTeamWithKey(own.services, { credits: 1_000 }), await aTeamWithKey(own.services, { credits: 1_000 })]
  for (const team of teams) await startMany(team, 12)
  await own.services.pool.query('delete from waiting_starts where rank is not null')
  await own.clock.advance(60_000)
  expect((await reconcileGenerations(context)).requeued).toBe(0)
  expect(await parked()).toBe(0)
})

test('queued work without a job gets one again', async () => {
  await startMany(await aTeamWithKey(own.services, { credits: 1_000 }), 12)
  await own.services.pool.query('delete from graphile_worker._private_jobs')
  await own.clock.advance(60_000)
  expect((await reconcileGenerations(context)).requeued).toBe(width)
  await takeMany(12)
  expect(await countOf('waiting_starts')).toBe(0)
})

test('parked work of a model that has left the catalog gets a job of its own', async () => {
  await startMany(await aTeamWithKey(own.services, { credits: 1_000 }), 12)
  await own.clock.advance(60_000)
  const without = { ...context, catalog: { ...context.catalog, families: new Map() } }
  await reconcileGenerations(without)
  expect([await submitsQueued(), await parked()]).toEqual([12, 0])
})

test('work that is parked for a day fails and costs nothing', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 10)
  await own.clock.advance(24 * 3_600_000 + 1)
  expect((await reconcileGenerations(context)).failed).toBe(2)
  const failure = { code: 'model_unavailable', reason: 'model_at_capacity' }
  expect(await findGeneration(context, ids.at(-1) ?? '')).toMatchObject({ failure, creditsCharged: 0 })
  expect(await findGeneration(context, ids[0] ?? '')).toMatchObject({ state: 'queued' })
})

test('a release without start queues also claims work, and the work that it queues is queued once', async () => {
  const team = await aTeamWithKey(own.services, { credits: 1_000 })
  const ids = await startMany(team, 12)
  const last = ids.at(-1) ?? ''
  await own.services.pool.query(
    `select graphile_worker.add_job('submitGeneration', json_build_object('generationId', $1::text), job_key => 'generation:' || $1)`,
    [last],
  )
  expect(await take()).toBe(last)
  const order = await takeMany(11)
  expect(order).toEqual(ids.slice(0, -1))
  expect(await countOf('waiting_starts')).toBe(0)
})

test('served times of owners are deleted after a day', async () => {
  await start(await aTeamWithKey(own.services))
  await take()
  expect(await pruneOwnerServedTimes(context)).toBe(0)
  await own.services.pool.query(`update owner_turns set served_at = now() - interval '25 hours'`)
  expect(await pruneOwnerServedTimes(context)).toBe(1)
})

test('concurrent starts, claims and cancels of several teams leave no work stuck in a queue', async () => {
  const teams = await Promise.all([1, 2, 3].map(() => aTeamWithKey(own.services, { credits: 10_000 })))
  const begun = teams.map((team) => Array.from({ length: 40 }, () => start(team)))
  const takers = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 15; n++) {
      const id = await nextJob()
      if (id) await taken(id)
      if (id) await dropJobs([id])
    }
  })
  await Promise.all([...begun.flat(), ...takers])
  for (const { team } of teams) await fillStartLine(context, { familyId, ownerId: team.id })
  while (await nextJob()) await take()
  expect(await countOf('waiting_starts')).toBe(0)
})
