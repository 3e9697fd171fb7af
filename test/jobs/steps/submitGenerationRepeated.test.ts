import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { NotSent } from '../../../src/network/trustedRequest.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)

type Run = Awaited<ReturnType<typeof vendorRun>>

/** Work that the vendor accepted with a lost answer. */
async function takenUnheard(): Promise<Run> {
  const run = await vendorRun(own, { behaviour: { submit: 'drops', pollsUntilBegun: 5 } })
  await run.run('submitGeneration')
  expect(run.vendor.jobs.size).toBe(1)
  return run
}

/** The same process with another answer to `submit`. */
function answering({ context }: Run, submit: Provider['submit']) {
  const provider = context.providers.get('vendor') as Provider
  return { ...context, providers: makeRegistry([{ ...provider, submit }]) }
}

const silent = {
  busy: async () => ({ kind: 'busy' }) as const,
  unreachable: async () => {
    throw new NotSent(new Error('connection refused'))
  },
}

test.each(['busy', 'unreachable'] as const)(
  'a repeat that finds the vendor %s leaves the first submit unknown: a cancel still reaches the work',
  async (how) => {
    const run = await takenUnheard()
    await run.run('submitGeneration', answering(run, silent[how]))
    expect(await run.cancel()).toMatchObject({ cancelled: true, creditsCharged: 0 })
    run.vendor.behaviour.submit = 'answers'
    await run.run('cancelAtProvider')
    expect([run.vendor.jobs.size, run.vendorJob()?.cancelled]).toEqual([1, true])
  },
)

test('work that the vendor may have is cancelled there when it fails at the deadline without an answer', async () => {
  const run = await takenUnheard()
  await clock.advance(121_000)
  await run.run('submitGeneration', answering(run, silent.busy))
  expect(await run.look()).toMatchObject({ state: 'failed', creditsCharged: 0 })
  run.vendor.behaviour.submit = 'answers'
  await run.run('cancelAtProvider')
  expect(run.vendorJob()?.cancelled).toBe(true)
})

test('a cancel that finds the vendor without room is repeated', async () => {
  const run = await takenUnheard()
  await run.cancel()
  run.vendor.behaviour.submit = 'busy'
  await run.run('cancelAtProvider')
  expect(await run.waiting()).toContainEqual(
    expect.objectContaining({ task: 'cancelAtProvider', payload: expect.objectContaining({ tries: 1 }) }),
  )
  run.vendor.behaviour.submit = 'answers'
  await run.run('cancelAtProvider')
  expect(run.vendorJob()?.cancelled).toBe(true)
})

test('work past its deadline is not submitted, since its result would be billed and discarded', async () => {
  const run = await vendorRun(own, { behaviour: { submit: 'busy' }, provider: { idempotentSubmit: false } })
  await run.run('submitGeneration')
  await clock.advance(121_000)
  run.vendor.behaviour.submit = 'answers'
  await run.run('submitGeneration')
  expect(run.vendor.submits).toBe(1)
  expect(await run.look()).toMatchObject({ failure: { code: 'model_unavailable', reason: 'model_at_capacity' }, creditsCharged: 0 })
})

test('a vendor that asks for an immediate repeat gets it after a second', async () => {
  const run = await vendorRun(own)
  await run.run(
    'submitGeneration',
    answering(run, async () => ({ kind: 'busy', retryAfterMs: 0 })),
  )
  expect(await run.waiting()).toMatchObject([{ task: 'submitGeneration', seconds: 1 }])
})

test('bytes that arrived with a failed answer are removed', async () => {
  const run = await vendorRun(own, { provider: { idempotentSubmit: false } })
  const refusing = answering(run, async (_spec, { keep }) => {
    await keep(Buffer.from('half a picture'), 'image/png')
    return { kind: 'failed', failure: { code: 'content_policy', reason: 'output_rejected' } }
  })
  await run.run('submitGeneration', refusing)
  expect((await run.look()).state).toBe('failed')
  expect((await run.waiting()).map(({ task }) => task)).toContain('removeOrphans')
})

test('outputs with any characters, and any number of outputs, are recorded', async () => {
  const odd = 'a\0b\uD800'
  const run = await vendorRun(own)
  await run.run(
    'submitGeneration',
    answering(run, async () => ({ kind: 'job', handle: { provider: 'vendor', v: 1, data: { id: odd } }, pollAfterMs: 0 })),
  )
  const provider = run.context.providers.get('vendor') as Provider
  const outputs = Array.from({ length: 1000 }, () => ({ data: { url: odd } }))
  const making = { ...provider, poll: async () => ({ state: 'succeeded', outputs }) as const }
  await run.run('pollGeneration', { ...run.context, providers: makeRegistry([making]) })
  expect((await run.look()).state).toBe('finalizing')
  const { rows } = await services.pool.query(
    'select jsonb_array_length(outputs) as count from generation_attempts where generation_id = $1',
    [run.generationId],
  )
  expect(rows).toEqual([{ count: 20 }])
})

test('the books are balanced after all tests', async () => {
  expect(await checkBooks(contextFor(services, { kind: 'system' }))).toEqual({ clean: true, faults: [] })
})
