import { expect, test } from 'vitest'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { expectInvariants } from './caseInvariants.ts'
import { catalogFolderOf } from './catalogFolderOf.ts'
import { inputsReached } from './inputsReached.ts'
import type { Lab } from './lab.ts'
import { vendorCase } from './vendorCase.ts'
import type { VendorUnderTest } from './vendorUnderTest.ts'

export function successTests(underTest: VendorUnderTest, lab: () => Lab): void {
  const { requests, vendor, reportsCost = false } = underTest

  test('its families have valid settings, and are available only when the vendor is set up', async () => {
    const load = (isSetUp: boolean) =>
      loadCatalog(catalogFolderOf(underTest), {
        connectors: new Map([[vendor.id, { isSetUp, check: (variant, { outputType }) => vendor.check({ ...variant, outputType }) }]]),
      })
    const { families } = await load(true)
    for (const sample of Object.values(requests)) expect([...families.keys()]).toContain(sample.familyId)
    expect((await load(false)).families.size).toBe(0)
  })

  test.each(Object.keys(requests) as OutputType[])('%s: the bytes are inspected, stored and charged exactly once', async (medium) => {
    const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, medium })
    expect(await made.settle()).toMatchObject({ state: 'ready', outputType: medium })
    const { rows } = await made.context.pool.query(
      'select result, cost_usd, cost_quantity from generations join generation_attempts on generation_id = id where id = $1',
      [made.generationId],
    )
    const [{ result, ...cost }] = rows
    expect(result.mimeType).toMatch(medium === 'model3d' ? /^model\// : new RegExp(`^${medium}/`))
    expect(await made.context.storage.size(result.storageKey)).toBe(result.sizeBytes)
    expect((cost.cost_usd ?? cost.cost_quantity) !== null, 'a cost is noted').toBe(reportsCost)
    await expectInvariants(lab(), made, { charged: true, accepted: 1 })
  })

  const withInputs = Object.entries(requests).filter(([, { inputs }]) => inputs?.length)
  const places = [['within a network', undefined] as const, ['on the internet', 'https://media.atelier.example.com'] as const]
  const ways = withInputs.flatMap(([medium]) => places.map(([where, publicUrl]) => [medium as OutputType, where, publicUrl] as const))
  test.skipIf(ways.length === 0).each(ways)(
    '%s: every input reaches the vendor unchanged when we are %s',
    async (medium, _where, publicUrl) => {
      const { settings } = lab().app.services
      const own = settings.publicUrl
      try {
        settings.publicUrl = publicUrl ?? own
        const made = await vendorCase(lab(), { behaviour: { kind: 'well' }, medium })
        await made.step()
        await inputsReached(lab(), made, medium)
        await made.settle()
      } finally {
        settings.publicUrl = own
      }
    },
  )
}
