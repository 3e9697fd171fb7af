import { expect, test } from 'vitest'
import { fal } from '../../../../src/providers/vendors/fal/index.ts'
import { familiesOf } from '../../../support/vendors/vendorJobs.ts'

const variant = (await familiesOf('fal')).get('fal-flux-kontext-pro')?.variants[0]
const problemsWith = (changes: Record<string, unknown>) => {
  if (!variant) throw new Error('no such variant')
  const settings = { ...variant.provider.settings, ...changes } as typeof variant.provider.settings
  return fal.check({ ...variant, outputType: 'image', provider: { settings } })
}

test('invalid settings are an error at the start, with the reason', () => {
  expect(problemsWith({})).toEqual([])
  expect(problemsWith({ model: '../account' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ model: 'flux' })).toMatchObject([{ path: 'model' }])
  expect(problemsWith({ output: 'images..url' })).toMatchObject([{ path: 'output' }])
  expect(problemsWith({ ouput: 'images' })).toHaveLength(1)
  expect(problemsWith({ inputs: {} })).toEqual([{ path: 'inputs.imageIds', reason: 'must say where these inputs go' }])
})
