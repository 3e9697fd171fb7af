import { expect, test } from 'vitest'
import { connectorsOf } from '../../src/cli/vendors.ts'
import type { VariableValues } from '../../src/config/variables.ts'
import { vendorsOf } from '../../src/config/vendors.ts'
import { loadCatalog } from '../../src/domain/catalog/loadCatalog.ts'

const all = ['image', 'video', 'audio', 'model3d']
const shipped = [
  { id: 'openai', name: 'OpenAI', media: ['image', 'audio'], setUp: { OPENAI_API_KEY: 'key' } },
  { id: 'fal', name: 'fal', media: all, setUp: { FAL_KEY: 'key' } },
  { id: 'replicate', name: 'Replicate', media: all, setUp: { REPLICATE_API_TOKEN: 'key' } },
  { id: 'comfyui', name: 'ComfyUI', media: all, setUp: { COMFYUI_URL: 'http://gpu-1.internal:8188' } },
  { id: 'google', name: 'Google', media: ['image', 'video'], setUp: { GEMINI_API_KEY: 'key' } },
  { id: 'elevenlabs', name: 'ElevenLabs', media: ['audio'], setUp: { ELEVENLABS_API_KEY: 'key' } },
]

function load(vendorId: string, values: Partial<VariableValues>) {
  const folder = new URL(`../../catalog/${vendorId}`, import.meta.url).pathname
  return loadCatalog(folder, { connectors: connectorsOf(vendorsOf(values as VariableValues)) })
}

test.each(shipped)(
  'the families of $name run as their files say, make what it can make, and are absent until it is set up',
  async (vendor) => {
    const { families } = await load(vendor.id, vendor.setUp)
    const media = new Set([...families.values()].map(({ outputType }) => outputType))
    expect([...media].toSorted()).toEqual(vendor.media.toSorted())
    expect(new Set([...families.values()].map((family) => family.vendor))).toEqual(new Set([vendor.name]))
    expect([...families.keys()].filter((id) => !id.startsWith(`${vendor.id}-`))).toEqual([])

    const without = await load(vendor.id, {})
    expect([...without.families.keys()]).toEqual([])
    expect([...without.absentProviderIds]).toEqual([vendor.id])
  },
)

test.each(shipped)('every parameter of $name has a title and a description, for the forms that are made of them', async ({ id, setUp }) => {
  const { families } = await load(id, setUp)
  const untold = [...families.values()].flatMap((family) =>
    Object.entries(family.parameters.properties).flatMap(([name, { title, description }]) =>
      title && description ? [] : [`${family.id}: ${name}`],
    ),
  )
  expect(untold).toEqual([])
})
