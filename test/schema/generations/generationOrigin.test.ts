import { afterAll, expect, test } from 'vitest'
import { recordEditorGeneration } from '../../../src/domain/generations/start/recordEditorGeneration.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)
const endpoint = await testEndpoint(services)

type Times = Record<'startedAt' | 'finalizingAt' | 'finishedAt', string | null>

async function timesOf(id: string): Promise<Times> {
  const { data } = await endpoint.ask('query ($id: ID!) { generation(id: $id) { startedAt finalizingAt finishedAt } }', { id })
  return data?.['generation'] as Times
}

const now = () => clock.now().toISOString()

test('finalizingAt is when a poll finds the output of a vendor with a queue', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilBegun: 1, pollsUntilDone: 3 } })
  await run.run('submitGeneration')
  await clock.advance(1000)
  await run.run('pollGeneration')
  expect(await timesOf(run.generationId)).toMatchObject({ startedAt: null, finalizingAt: null })
  await clock.advance(2000)
  await run.run('pollGeneration')
  expect(await timesOf(run.generationId)).toMatchObject({ startedAt: now(), finalizingAt: null })
  const startedAt = now()
  await clock.advance(3000)
  await run.run('pollGeneration')
  const finalizingAt = now()
  expect(await timesOf(run.generationId)).toEqual({ startedAt, finalizingAt, finishedAt: null })
  await clock.advance(4000)
  await run.run('finaliseGeneration')
  expect(await timesOf(run.generationId)).toEqual({ startedAt, finalizingAt, finishedAt: now() })
})

test('finalizingAt is startedAt for a vendor that answers with the output', async () => {
  const run = await vendorRun(own, { behaviour: { answersAtOnce: true } })
  await clock.advance(1000)
  await run.run('submitGeneration')
  const { startedAt, finalizingAt, finishedAt } = await timesOf(run.generationId)
  expect([startedAt, finalizingAt]).toEqual([now(), now()])
  if (finishedAt === null) await run.run('finaliseGeneration')
  expect(await timesOf(run.generationId)).toMatchObject({ finalizingAt, finishedAt: now() })
})

test('finalizingAt stays when the result could not be stored, and is null for work that failed before, even with the longest deadline', async () => {
  const unfit = await vendorRun(own)
  await unfit.untilMade()
  const finalizingAt = now()
  await clock.advance(5000)
  await unfit.run('finaliseGeneration', {
    ...unfit.context,
    inspector: { ...unfit.context.inspector, inspect: async () => ({ ok: false, reason: 'unknown_format' }) as never },
  })
  expect(await unfit.look()).toMatchObject({ state: 'failed' })
  expect(await timesOf(unfit.generationId)).toMatchObject({ finalizingAt, finishedAt: now() })

  const late = await vendorRun(own, { behaviour: { pollsUntilBegun: 1, pollsUntilDone: 9 } })
  await late.run('submitGeneration')
  await services.pool.query(`update generations set deadline_at = created_at + interval '24 hours' where id = $1`, [late.generationId])
  await clock.advance(1000)
  await late.run('pollGeneration')
  await late.run('pollGeneration')
  expect(await late.look()).toMatchObject({ state: 'running' })
  await clock.advance(24 * 3600 * 1000)
  await late.run('pollGeneration')
  expect(await late.look()).toMatchObject({ state: 'failed', failure: { code: 'timeout' } })
  expect(await timesOf(late.generationId)).toMatchObject({ finalizingAt: null })
})

test('finalizingAt is null for a generation of the editor', async () => {
  const { made } = await vendorRun(own)
  const recorded = { teamId: made.team.id, userId: made.user.id, familyId: 'notes', outputType: 'text', state: 'running' } as const
  const { generationId } = await recordEditorGeneration(aServiceContext(services), recorded)
  expect(await timesOf(generationId)).toMatchObject({ finalizingAt: null })
})
