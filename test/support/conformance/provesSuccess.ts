import { expect, test } from 'vitest'
import type { OutputType } from '../../../src/contract/outputTypes.ts'
import { soundCase } from './caseRules.ts'
import type { Lab } from './lab.ts'
import { inputsReached } from './reachedInputs.ts'
import { vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

export function provesSuccess({ requests, tellsCost = false }: VendorUnderTest, lab: () => Lab): void {
  test.each(Object.keys(requests) as OutputType[])(
    '%s: the bytes end in our storage, inspected, and are charged exactly once',
    async (medium) => {
      const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, medium })
      const ready = await made.settle()
      expect(ready).toMatchObject({ state: 'ready', outputType: medium, creditsCharged: made.price })
      expect(made.fake.accepted).toHaveLength(1)
      const { rows } = await made.context.pool.query(
        'select result, cost_usd, cost_quantity from generations join generation_attempts on generation_id = id where id = $1',
        [made.generationId],
      )
      expect(rows[0].result.mimeType).toMatch(medium === 'model3d' ? /^model\// : new RegExp(`^${medium}/`))
      expect(await made.context.storage.size(rows[0].result.storageKey)).toBe(rows[0].result.sizeBytes)
      expect((rows[0].cost_usd ?? rows[0].cost_quantity) !== null).toBe(tellsCost)
      await soundCase(lab(), made)
    },
  )

  const withInputs = Object.entries(requests).filter(([, { inputs }]) => inputs?.length)
  test.skipIf(withInputs.length === 0).each(withInputs)('%s: every input reaches the vendor whole', async (medium) => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, medium: medium as OutputType })
    await made.step()
    await inputsReached(lab(), made, medium as OutputType)
    await made.settle()
  })
}
