import { afterAll, expect, test, vi } from 'vitest'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { reconcile } from '../../../src/jobs/maintenance/reconcile.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { heldProvider } from '../../support/vendor/heldProvider.ts'
import { runWorker } from '../../support/vendor/runWorker.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)

const soon = { timeout: 20_000, interval: 10 }
const starts = 24
/** The slots that one family may hold of sixteen. */
const atOnce = 4
const request = { familyId: 'vendor-image', prompt: 'a boat' }

test.each(['done', 'job'] as const)(
  'with far more starts than a vendor completes within the deadline, every one becomes ready; submit answers with %s',
  async (answers) => {
    const team = await aTeamWithKey(services, { credits: 1_000 })
    const started = await Promise.all(Array.from({ length: starts }, () => startGeneration(team.context, team.spender, { request })))
    const ids = started.map(({ generation }) => generation.generationId)
    const countOf = async (state: string) => {
      const { rows } = await services.pool.query<{ id: string }>('select id from generations where id = any ($1) and state = $2', [
        ids,
        state,
      ])
      return rows.length
    }
    const { provider, held } = heldProvider(answers)
    await runWorker(services, { providers: [provider], concurrency: 16, end: () => held.forEach(({ answer }) => answer()) })
    // Each submit takes two thirds of the variant's deadline. The last starts wait for several deadlines.
    for (let done = 0; done < starts; done += atOnce) {
      await vi.waitFor(() => expect(held).toHaveLength(atOnce), soon)
      // New work holds its maximum of slots.
      await vi.waitFor(async () => expect(await countOf('ready')).toBe(done), soon)
      await clock.advance(80_000)
      await reconcile(aJobContext(services, { providers: [provider] }))
      for (const { answer } of held.splice(0)) answer()
    }
    await vi.waitFor(async () => expect(await countOf('ready')).toBe(starts), soon)
  },
)

test('beside a team with a hundred waiting starts, another waits less than twice as long as alone, one by one and in a batch', async () => {
  const [many, few] = [await aTeamWithKey(services, { credits: 1_000 }), await aTeamWithKey(services, { credits: 1_000 })]
  const startFor = async (team: TeamWithKey) => (await startGeneration(team.context, team.spender, { request })).generation.generationId
  const { provider, held, submitted } = heldProvider('done')
  await runWorker(services, { providers: [provider], concurrency: 16, end: () => held.forEach(({ answer }) => answer()) })
  const isFull = () => vi.waitFor(() => expect(held).toHaveLength(atOnce), soon)
  /** Answers the oldest call each time, so that all calls take equally long: as many answers as there are slots. */
  const answerOldest = async () => {
    held.shift()?.answer()
    await isFull()
  }
  await Promise.all(Array.from({ length: 100 }, () => startFor(many)))
  await isFull()
  const waits: number[] = []
  for (let n = 0; n < 5; n++) {
    const id = await startFor(few)
    let answers = 0
    for (; !submitted.includes(id); answers++) await answerOldest()
    for (; held.some(({ generationId }) => generationId === id); answers++) await answerOldest()
    waits.push(answers)
  }
  expect(waits.toSorted((a, b) => a - b)[2]).toBeLessThan(2 * atOnce)

  const batch = await Promise.all(Array.from({ length: 12 }, () => startFor(few)))
  const before = submitted.length
  while (!batch.every((id) => submitted.includes(id))) await answerOldest()
  const places = batch.map((id) => submitted.indexOf(id) - before + 1).toSorted((a, b) => a - b)
  expect(places.every((place, index) => place <= 2 * (index + 1))).toBe(true)
})

test('one job of the queue submits the work and polls it until the result, and no poll loses it', async () => {
  const team = await aTeamWithKey(services, { credits: 1_000 })
  const later = 3_600_000
  const { provider } = heldProvider('done')
  let polls = 0
  const polled: Provider = {
    ...provider,
    submit: async () => ({ kind: 'job', handle: { provider: 'vendor', v: 1, data: {} }, state: 'running', pollAfterMs: later }),
    poll: async () => {
      polls += 1
      return polls < 3 ? { state: 'running', pollAfterMs: later } : { state: 'succeeded', outputs: [{ data: {} }] }
    },
  }
  const { generation } = await startGeneration(team.context, team.spender, { request })
  const key = `generation:${generation.generationId}`
  const waiting = async () => {
    const { rows } = await services.pool.query<{ id: string; task: string }>(
      `select id, task_identifier as task from graphile_worker.jobs where key = $1 and locked_at is null`,
      [key],
    )
    return rows
  }
  const [first] = await waiting()
  await runWorker(services, { providers: [polled], concurrency: 16 })
  const next = { id: first?.id, task: 'pollGeneration' }
  for (let done = 0; done < 3; done++) {
    await vi.waitFor(async () => expect([polls, await waiting()]).toEqual([done, [next]]), soon)
    await services.pool.query(
      `select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now()), pg_notify('jobs:insert', '{"count":1}')`,
      [next.id],
    )
  }
  const stateOf = async () =>
    (await services.pool.query('select state from generations where id = $1', [generation.generationId])).rows[0].state
  await vi.waitFor(async () => expect([await stateOf(), await waiting()]).toEqual(['ready', []]), soon)
})
