import { expect, test } from 'vitest'
import { replicate } from '../../../../src/providers/vendors/replicate/index.ts'
import { familiesOf } from '../../../support/vendors/vendorJobs.ts'

const variant = (await familiesOf('replicate')).get('replicate-trellis')?.variants[0]
const problemsWith = (changes: Record<string, unknown>) => {
  if (!variant) throw new Error('no such variant')
  const settings = { ...variant.provider.settings, ...changes } as typeof variant.provider.settings
  return replicate.check({ ...variant, outputType: 'model3d', provider: { settings } })
}

test('invalid settings are an error at the start, with the reason', () => {
  expect(problemsWith({})).toEqual([])
  expect(problemsWith({ model: 'firtoz/../account' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ version: 'latest' })).toMatchObject([{ path: 'version' }])
  expect(problemsWith({ usdPerSecond: 0 })).toMatchObject([{ path: 'usdPerSecond' }])
  expect(problemsWith({ inputs: { imageIds: 'image' } })).toEqual([{ path: 'inputs.imageIds', reason: 'has room for 1 of 4 inputs' }])
})
