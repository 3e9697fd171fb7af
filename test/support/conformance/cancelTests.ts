import { expect, test } from 'vitest'
import type { Provider } from '../../../src/providers/provider.ts'
import { expectInvariants } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { type VendorCase, vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

/** A cancel at each moment: its cost, and whether the vendor gets a cancel. */
export function cancelTests({ without = [], answersWithResult }: VendorUnderTest, lab: () => Lab): void {
  test('a cancel before the submit costs nothing, and the vendor never gets the work', async () => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'well' } })
    expect(await made.cancel()).toEqual({ status: 200, cancelled: true, creditsCharged: 0 })
    expect((await made.settle()).state).toBe('cancelled')
    expect(made.fake.cancelled).toEqual([])
    await expectInvariants(lab(), made, { charged: false, accepted: 0 })
  })

  test('a cancel during the submit costs nothing and is sent to the vendor after its answer', async () => {
    const [taken, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isJob = false
    const held = (provider: Provider): Provider => ({
      ...provider,
      async submit(spec, asked) {
        const submitted = await provider.submit(spec, asked)
        isJob = submitted.kind === 'job'
        taken.resolve()
        await cancelled.promise
        return submitted
      },
    })
    const made = await vendorCase(lab(), {
      behaviour: without.includes('slow') ? { kind: 'well' } : { kind: 'slow', looks: 9 },
      between: held,
    })
    const submitting = made.step()
    await taken.promise
    expect(await made.cancel()).toEqual({ status: 200, cancelled: true, creditsCharged: 0 })
    cancelled.resolve()
    await submitting
    await made.settle()
    expect(made.fake.cancelled).toEqual(isJob ? cancelledWork(made) : [])
    await expectInvariants(lab(), made, { charged: false, accepted: 1 })
  })

  test.runIf(answersWithResult)(
    'a cancel during a submit whose answer would be the result closes the connection, and frees the job',
    async () => {
      const made = await vendorCase(lab(), {
        behaviour: { kind: 'hangs', when: 'after' },
        ...(answersWithResult && { medium: answersWithResult }),
      })
      const submitting = made.step()
      await expect.poll(() => made.fake.accepted.length, { interval: 5, timeout: 10_000 }).toBe(1)
      expect(await made.cancel()).toEqual({ status: 200, cancelled: true, creditsCharged: 0 })
      await submitting
      await expect.poll(() => made.fake.open(), { interval: 5, timeout: 10_000 }).toBe(0)
      expect((await made.settle()).state).toBe('cancelled')
      await expectInvariants(lab(), made, { charged: false, accepted: 1 })
    },
  )

  test.skipIf(without.includes('slow'))(
    'a cancel of work that waits or runs at the vendor reaches it, and is paid once the work has begun',
    async () => {
      for (const state of ['queued', 'running'] as const) {
        const made = await vendorCase(lab(), { behaviour: { kind: 'slow', looks: 6 } })
        await made.step()
        const seen = await made.until(state)
        if (seen.state !== state) continue
        const charged = state === 'running'
        expect(await made.cancel()).toEqual({ status: 200, cancelled: true, creditsCharged: charged ? made.price : 0 })
        await made.settle()
        // If only waiting work can be stopped, the vendor decides about running work.
        const told = charged && made.provider.capabilities.cancel === 'queued' ? made.fake.cancelled : cancelledWork(made)
        expect(made.fake.cancelled).toEqual(told)
        await expectInvariants(lab(), made, { charged, accepted: 1 })
      }
    },
  )

  test('a cancel of finished work is too late: the result is delivered and charged', async () => {
    // An answer that is the result would end its generation in a moment.
    const { promise: inspects, resolve: inspect } = Promise.withResolvers<void>()
    const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, inspects })
    expect((await made.until('finalizing')).state).toBe('finalizing')
    expect((await made.cancel()).status).toBe(409)
    inspect()
    expect((await made.settle()).state).toBe('ready')
    expect(made.fake.cancelled).toEqual([])
    await expectInvariants(lab(), made, { charged: true, accepted: 1 })
  })
}

/** The work with a cancel, for vendors that support it. */
function cancelledWork({ fake, provider }: VendorCase): string[] {
  return provider.capabilities.cancel === 'never' ? [] : fake.accepted.map(({ id }) => id)
}
