import { expect, test } from 'vitest'
import { connectorsOf } from '../../../src/cli/vendors.ts'
import { vendorsOf } from '../../../src/config/vendors.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { fal } from '../../../src/providers/fal/fal.ts'
import { familiesOf } from '../../support/vendors/vendorJobs.ts'

const folder = new URL('../../../catalog/fal', import.meta.url).pathname
const values = { FAL_QUEUE_URL: 'https://queue.fal.run' } as Parameters<typeof vendorsOf>[0]

test('the families of fal are sound, make all four media, and are absent without its key', async () => {
  const { families } = await loadCatalog(folder, { connectors: connectorsOf(vendorsOf({ ...values, FAL_KEY: 'key' })) })
  expect(new Set([...families.values()].map(({ outputType }) => outputType))).toEqual(new Set(['image', 'video', 'audio', 'model3d']))
  expect([...families.values()].every(({ vendor }) => vendor === 'fal')).toBe(true)

  const without = await loadCatalog(folder, { connectors: connectorsOf(vendorsOf(values)) })
  expect(without.families.size).toBe(0)
  expect([...without.absentProviderIds]).toEqual(['fal'])
})

const variant = (await familiesOf('fal')).get('fal-flux-kontext-pro')?.variants[0]
const problemsWith = (changes: Record<string, unknown>) => {
  if (!variant) throw new Error('no such variant')
  const settings = { ...variant.provider.settings, ...changes } as typeof variant.provider.settings
  return fal.check({ ...variant, outputType: 'image', provider: { settings } })
}

test('settings that fal could not follow stop the start, and say what is wrong', () => {
  expect(problemsWith({})).toEqual([])
  expect(problemsWith({ model: '../account' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ model: 'flux' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ output: 'images..url' })).toMatchObject([{ path: 'output' }])
  expect(problemsWith({ ouput: 'images' })).toHaveLength(1)
  expect(problemsWith({ inputs: {} })).toEqual([{ path: 'inputs.imageIds', reason: 'must say where these inputs go' }])
})
