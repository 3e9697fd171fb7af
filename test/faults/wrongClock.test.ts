import { afterEach, describe, expect, test, vi } from 'vitest'
import { contextFor } from '../../src/domain/context.ts'
import { cancelGeneration } from '../../src/domain/generations/ending/cancelGeneration.ts'
import { readGeneration } from '../../src/domain/generations/reading/readGeneration.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { prune } from '../../src/jobs/maintenance/prune.ts'
import { reconcile } from '../../src/jobs/maintenance/reconcile.ts'
import { finaliseGeneration } from '../../src/jobs/steps/finaliseGeneration.ts'
import { pollGeneration } from '../../src/jobs/steps/pollGeneration.ts'
import { stepJob } from '../../src/jobs/steps/stepJob.ts'
import { submitGeneration } from '../../src/jobs/steps/submitGeneration.ts'
import { makeSandboxProvider } from '../../src/providers/sandbox/sandboxProvider.ts'
import { testDatabase } from '../support/database/database.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { aJobContext } from '../support/generations/jobContext.ts'
import { type TestServices, testServices } from '../support/services.ts'

const month = 30 * 86_400_000
const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0).toReversed()) await close()
})

async function aProcess(databaseUrl: string): Promise<TestServices> {
  const opened = await testServices({ databaseUrl, clock: 'database' })
  closers.push(opened.close)
  return opened
}

/** A normal process, and one on the same database with a wrong wall clock. */
async function rightAndWrong(wrongByMs: number) {
  const database = await testDatabase()
  closers.push(database.drop)
  const right = await aProcess(database.url)
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + wrongByMs })
  const wrong = await aProcess(database.url)
  return { now, right, wrong }
}

/** All time-dependent work of a worker. */
async function lookAfterEverything({ services }: TestServices, generationId: string): Promise<void> {
  const provider = makeSandboxProvider({ folder: services.settings.temporaryFolder, processes: 1 })
  const jobs = aJobContext(services, { providers: [provider] })
  await reconcile(jobs)
  await prune(jobs)
  await stepJob('pollGeneration', { submitGeneration, pollGeneration, finaliseGeneration })(jobs, { generationId })
  await jobs.providers.close()
}

describe.each([
  ['ahead', month],
  ['behind', -month],
])('a process whose wall clock is a month %s', (_which, wrongByMs) => {
  test('does not change the days of keys, running work or earlier starts', async () => {
    const { now, right, wrong } = await rightAndWrong(wrongByMs)
    const team = await aTeamWithKey(right.services, { dailyLimitCredits: 10 })
    const idempotencyKey = 'order-1'
    const started = await startGeneration(team.context, team.spender, { request, idempotencyKey })
    const { generationId } = started.generation
    await generationTransitions(right.services).begin(generationId)

    await lookAfterEverything(wrong, generationId)
    const there = contextFor(wrong.services, team.actor)
    expect((await readGeneration(there, team.spender.ownerId, generationId)).state).toBe('running')
    expect(await startGeneration(there, team.spender, { request, idempotencyKey })).toMatchObject({
      generation: { generationId },
      replayed: true,
    })

    await cancelGeneration(there, team.spender, generationId)
    const { charged } = await keyDay(right, team.key.id)
    expect(charged).toBe(100)
    const later = await startGeneration(there, team.spender, { request, idempotencyKey: 'order-2' })
    expect(Math.abs(Date.parse(later.generation.createdAt) - now)).toBeLessThan(60_000)
  })
})

async function keyDay({ services }: TestServices, keyId: string): Promise<{ charged: number }> {
  const { rows } = await services.pool.query<{ charged: number }>(
    `select charged_on_day as charged from api_keys where id = $1 and charged_day between utc_day(now()) - 1 and utc_day(now())`,
    [keyId],
  )
  return { charged: rows[0]?.charged ?? Number.NaN }
}
