import { expect, test } from 'vitest'
import { connectorsOf } from '../../../src/cli/vendors.ts'
import { vendorsOf } from '../../../src/config/vendors.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { replicate } from '../../../src/providers/replicate/replicate.ts'
import { familiesOf } from '../../support/vendors/vendorJobs.ts'

const folder = new URL('../../../catalog/replicate', import.meta.url).pathname
const values = { REPLICATE_BASE_URL: 'https://api.replicate.com/v1' } as Parameters<typeof vendorsOf>[0]

test('the families of Replicate are sound, make all four media, and are absent without its token', async () => {
  const { families } = await loadCatalog(folder, { connectors: connectorsOf(vendorsOf({ ...values, REPLICATE_API_TOKEN: 'key' })) })
  expect(new Set([...families.values()].map(({ outputType }) => outputType))).toEqual(new Set(['image', 'video', 'audio', 'model3d']))
  expect([...families.values()].every(({ vendor }) => vendor === 'Replicate')).toBe(true)

  const without = await loadCatalog(folder, { connectors: connectorsOf(vendorsOf(values)) })
  expect(without.families.size).toBe(0)
})

const variant = (await familiesOf('replicate')).get('replicate-trellis')?.variants[0]
const problemsWith = (changes: Record<string, unknown>) => {
  if (!variant) throw new Error('no such variant')
  const settings = { ...variant.provider.settings, ...changes } as typeof variant.provider.settings
  return replicate.check({ ...variant, outputType: 'model3d', provider: { settings } })
}

test('settings that Replicate could not follow stop the start, and say what is wrong', () => {
  expect(problemsWith({})).toEqual([])
  expect(problemsWith({ model: 'firtoz/../account' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ version: 'latest' })).toMatchObject([{ path: 'version' }])
  expect(problemsWith({ usdPerSecond: 0 })).toMatchObject([{ path: 'usdPerSecond' }])
  expect(problemsWith({ inputs: { imageIds: 'image' } })).toEqual([{ path: 'inputs.imageIds', reason: 'has room for 1 of 4 inputs' }])
})
