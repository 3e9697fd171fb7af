import { expect, test } from 'vitest'
import { aProviderContext } from '../generations/providerContext.ts'
import { expectInvariants, failureOf } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import { vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

export function failureTests({ failures, startFake, key }: VendorUnderTest, lab: () => Lab): void {
  test.each(failures)('its errors for %s become that failure, and nothing is charged', async (failure) => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'fails', failure } })
    expect(failureOf(await made.settle())).toBe(failure)
    await expectInvariants(lab(), made, { charged: false, accepted: made.fake.accepted.length })
    expect(made.fake.accepted.length).toBeLessThanOrEqual(1)
  })

  const wrongKey = `not-${key}`

  test('with a rejected key, work fails as provider_access_closed and costs nothing', async () => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, key: wrongKey })
    expect(failureOf(await made.settle())).toBe('authentication/provider_access_closed')
    await expectInvariants(lab(), made, { charged: false, accepted: 0 })
  })

  test('the health check costs nothing, and names a rejected key by its variable, never by its value', async () => {
    const fake = await startFake()
    try {
      const health = (own?: string) => lab().providerAt(fake, { key: own }).health?.(aProviderContext().context)
      expect(await health()).toEqual({ ok: true })
      const rejected = await health(wrongKey)
      expect(rejected).toEqual({ ok: false, message: expect.stringMatching(/^rejects [A-Z_]+_(KEY|TOKEN)$/) })
      expect(JSON.stringify(rejected)).not.toContain(key)
      expect(fake.accepted).toEqual([])
    } finally {
      await fake.close()
    }
  })
}
