import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { linkHolderOf } from '../../../src/domain/generations/links/resultLink.ts'
import { presentGeneration } from '../../../src/domain/generations/reading/presentGeneration.ts'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { vendorProvider } from '../../support/vendor/vendorProvider.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'
import { startVendor, type VendorBehaviour } from '../../support/vendor/vendorServer.ts'

const own = await vendorServices()
const { services } = own
afterAll(own.close)
beforeEach(async () => {
  await services.pool.query('delete from breakers')
  await services.breakers.refresh()
})

const request = { familyId: 'paired-image', prompt: 'a boat' }

/** Work of a variant with a fallback at another vendor. */
async function paired({ modelId, ...behaviour }: Partial<VendorBehaviour> & { modelId?: string }) {
  const spare = await startVendor()
  onTestFinished(() => spare.close())
  const others = [vendorProvider(spare.url, { id: 'quiet', idempotentSubmit: true })]
  const run = await vendorRun(own, { behaviour, others, request: { ...request, ...(modelId ? { modelId } : {}) } })
  return { ...run, spare }
}

test('work without room at its vendor is made by the fallback, under a new key, for the price held, and the generation shows it', async () => {
  const run = await paired({ submit: 'busy' })
  await run.run('submitGeneration')
  expect((await run.waiting())[0]).toMatchObject({ task: 'submitGeneration', seconds: 0 })
  for (const task of ['submitGeneration', 'pollGeneration', 'finaliseGeneration'] as const) await run.run(task)
  const made = await run.look()
  expect(presentGeneration(run.context, made, linkHolderOf(run.made.actor))).toMatchObject({
    state: 'ready',
    modelId: 'paired-image.plain',
    fallback: { modelId: 'paired-image.spare' },
    creditsCharged: 1.5,
  })
  expect([run.vendor.submits, run.vendor.jobs.size, run.spare.submits]).toEqual([1, 0, 1])
  expect([...run.spare.jobs.keys()]).toEqual([`${run.generationId}.2`])
  expect((await checkBooks(run.context)).faults).toEqual([])
})

test('a fallback that costs more than the hold does not take the work, and work without a refusal shows no fallback', async () => {
  const dearer = await paired({ submit: 'busy', modelId: 'paired-image.cheap' })
  await dearer.run('submitGeneration')
  await dearer.run('submitGeneration')
  expect([dearer.vendor.submits, dearer.spare.submits]).toEqual([2, 0])
  const calm = await paired({})
  await calm.run('submitGeneration')
  expect(presentGeneration(calm.context, await calm.look(), linkHolderOf(calm.made.actor))).not.toHaveProperty('fallback')
})

test('work that its vendor may have does not move to a fallback', async () => {
  const run = await paired({ submit: 'drops' })
  await run.run('submitGeneration')
  run.vendor.behaviour.submit = 'busy'
  await run.run('submitGeneration')
  await run.run('submitGeneration')
  expect([run.vendor.submits, run.spare.submits]).toEqual([3, 0])
  run.vendor.behaviour.submit = 'answers'
  await run.run('submitGeneration')
  expect([run.vendor.jobs.size, (await run.look()).fallbackModelId]).toEqual([1, null])
})

test('while a breaker locks the vendor, the fallback takes the work; of two concurrent jobs one moves it', async () => {
  const run = await paired({})
  await services.pool.query(`insert into breakers (subject, locked_until) values ('vendor:vendor', present() + interval '30 seconds')`)
  await services.breakers.refresh()
  await Promise.all([run.run('submitGeneration'), run.run('submitGeneration')])
  // A job that read the work before it moved.
  const stale = { task: 'submitGeneration', providerId: 'vendor', deadlineSeconds: 120 } as const
  expect(await claimGeneration(run.context, run.generationId, stale)).toBeUndefined()
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({ state: 'running', attempt: 2, fallbackModelId: 'paired-image.spare' })
  expect([run.vendor.submits, run.spare.submits]).toEqual([0, 1])
})

test('work without room at its vendor at the deadline does not move to a fallback, and fails as at capacity', async () => {
  const run = await paired({ submit: 'busy' })
  const vendor = run.context.providers.get('vendor')
  if (!vendor) throw new Error('the vendor is missing')
  const late: typeof vendor = {
    ...vendor,
    async submit(...asked) {
      await own.clock.advance(121_000)
      return vendor.submit(...asked)
    },
  }
  const providers = { ...run.context.providers, get: (id: string) => (id === 'vendor' ? late : run.context.providers.get(id)) }
  await run.run('submitGeneration', { ...run.context, providers })
  await run.run('submitGeneration')
  expect(await run.look()).toMatchObject({
    state: 'failed',
    failure: { code: 'model_unavailable', reason: 'model_at_capacity' },
    fallbackModelId: null,
  })
})
