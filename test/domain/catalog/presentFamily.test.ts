import { expect, test } from 'vitest'
import { presentFamily } from '../../../src/domain/catalog/presentFamily.ts'
import { draft, familyOf } from './drafts.ts'

test.each([
  ['In at most 100 characters.', 'In at most 100 characters. Sent at the top level of the request.'],
  ['In at most 100 characters, at the top level.', 'In at most 100 characters, at the top level.'],
])('the description of a prompt limit names the place of the prompt: %s', async (written, published) => {
  const file = draft()
  const prompt = { type: 'string', maxLength: 100, description: written }
  const family = await familyOf({ ...file, parameters: { ...file.parameters, properties: { ...file.parameters.properties, prompt } } })
  const { parameters, variants } = presentFamily(family, undefined)
  expect(parameters).toMatchObject({ properties: { prompt: { type: 'string', maxLength: 100, description: published } } })
  for (const variant of variants) expect(variant.parameters['properties']).not.toHaveProperty('prompt')
})
