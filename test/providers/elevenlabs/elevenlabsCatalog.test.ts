import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectorsOf } from '../../../src/cli/vendors.ts'
import type { VariableValues } from '../../../src/config/variables.ts'
import { vendorsOf } from '../../../src/config/vendors.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'

const folder = join(import.meta.dirname, '../../../catalog/elevenlabs')
const values = { ELEVENLABS_BASE_URL: 'https://api.elevenlabs.io' } as VariableValues

test('the families run as their files say, and are absent without the key', async () => {
  const connectors = (own: Partial<VariableValues>) => connectorsOf(vendorsOf({ ...values, ...own }))
  const { families } = await loadCatalog(folder, { connectors: connectors({ ELEVENLABS_API_KEY: 'sk_test' }) })
  expect([...families.values()].map(({ id, outputType, vendor }) => [id, outputType, vendor])).toEqual([
    ['elevenlabs-music', 'audio', 'ElevenLabs'],
    ['elevenlabs-sound-effects', 'audio', 'ElevenLabs'],
    ['elevenlabs-speech', 'audio', 'ElevenLabs'],
  ])
  const without = await loadCatalog(folder, { connectors: connectors({}) })
  expect([...without.families.keys()]).toEqual([])
  expect([...without.absentProviderIds]).toEqual(['elevenlabs'])
})
