import { expect, test } from 'vitest'
import type { Provider } from '../../../src/providers/provider.ts'
import { expectInvariants, failureOf } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { vendorCase } from './vendorCase.ts'
import type { FakeVendor, VendorUnderTest } from './vendorUnderTest.ts'

const ways = (['hangs', 'drops'] as const).flatMap((kind) => (['before', 'after'] as const).map((when) => ({ kind, when })))

/** Submits without an answer. */
export function unansweredSubmitTests({ without = [] }: VendorUnderTest, lab: () => Lab): void {
  test.each(ways.filter(({ kind }) => !without.includes(kind)))(
    'a submit that $kind $when acceptance is never made twice: it is unknown, or known by its key',
    async (behaviour) => {
      const made = await vendorCase(lab(), {
        behaviour,
        between: behaviour.kind === 'hangs' ? abortWhenTaken(behaviour) : (provider) => provider,
      })
      await made.step()
      const taken = behaviour.when === 'after' ? 1 : 0
      expect(made.fake.accepted).toHaveLength(taken)
      made.fake.behave({ kind: 'well' })
      const ended = await made.settle()
      const isKnown = made.provider.capabilities.idempotentSubmit
      expect([ended.state, failureOf(ended)]).toEqual(isKnown ? ['ready', undefined] : ['failed', 'internal_error/submit_unknown'])
      await expectInvariants(lab(), made, { charged: isKnown, accepted: isKnown ? 1 : taken })
    },
  )
}

/** Proxies between us and the vendor. */
export function proxyTests({ without = [] }: VendorUnderTest, lab: () => Lab): void {
  test.skipIf(without.includes('proxied')).each([502, 503] as const)(
    '%i of a proxy says nothing of whether the vendor has the work: the submit is never made twice, or known by its key',
    async (status) => {
      const made = await vendorCase(lab(), { behaviour: { kind: 'proxied', status } })
      await made.step()
      made.fake.behave({ kind: 'well' })
      const ended = await made.settle()
      const isKnown = made.provider.capabilities.idempotentSubmit
      expect([ended.state, failureOf(ended)]).toEqual(isKnown ? ['ready', undefined] : ['failed', 'internal_error/submit_unknown'])
      await expectInvariants(lab(), made, { charged: isKnown, accepted: 1 })
    },
  )
}

/** Waits until the work is accepted; for a moment if it will not be. */
function abortWhenTaken({ when }: { when: 'before' | 'after' }) {
  return (provider: Provider, fake: FakeVendor): Provider => ({
    ...provider,
    submit: (spec, asked) => {
      const ended = new AbortController()
      const isTaken = () => when === 'after' && fake.accepted.length > 0
      const began = performance.now()
      const looking = setInterval(() => {
        if (isTaken() || performance.now() - began > (when === 'before' ? 1000 : 20_000)) ended.abort(new Error('it takes too long'))
      }, 10)
      return provider
        .submit(spec, { ...asked, signal: AbortSignal.any([asked.signal, ended.signal]) })
        .finally(() => clearInterval(looking))
    },
  })
}
