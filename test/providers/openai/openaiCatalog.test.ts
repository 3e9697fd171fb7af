import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectorsOf } from '../../../src/cli/vendors.ts'
import type { VariableValues } from '../../../src/config/variables.ts'
import { vendorsOf } from '../../../src/config/vendors.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'

const folder = join(import.meta.dirname, '../../../catalog/openai')
const values = { OPENAI_BASE_URL: 'https://api.openai.com/v1' } as VariableValues

test('the families run as their files say, and are absent without the key', async () => {
  const connectors = (own: Partial<VariableValues>) => connectorsOf(vendorsOf({ ...values, ...own }))
  const { families } = await loadCatalog(folder, { connectors: connectors({ OPENAI_API_KEY: 'sk-test' }) })
  expect([...families.values()].map(({ id, outputType, vendor }) => [id, outputType, vendor])).toEqual([
    ['openai-gpt-image-2', 'image', 'OpenAI'],
    ['openai-speech', 'audio', 'OpenAI'],
  ])
  const without = await loadCatalog(folder, { connectors: connectors({}) })
  expect([...without.families.keys()]).toEqual([])
  expect([...without.absentProviderIds]).toEqual(['openai'])
})
