import { expect, test } from 'vitest'
import { lantern } from '../../../examples/lantern/index.ts'
import { connectorsOf, openVendors } from '../../../src/cli/boot/openVendors.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { readVariables } from '../../../src/config/readVariables.ts'
import { type VendorsConfig, vendorsOf } from '../../../src/config/vendors.ts'
import { enablingVariable } from '../../../src/config/vendorVariables.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import type { Services } from '../../../src/domain/context.ts'
import { vendors } from '../../../src/providers/vendors.ts'

const allMedia = ['image', 'video', 'audio', 'model3d']
const shipped = [
  { id: 'openai', name: 'OpenAI', media: ['image', 'audio'] },
  { id: 'fal', name: 'fal', media: allMedia },
  { id: 'replicate', name: 'Replicate', media: allMedia },
  { id: 'comfyui', name: 'ComfyUI', media: allMedia },
  { id: 'google', name: 'Google', media: ['image', 'video'] },
  { id: 'elevenlabs', name: 'ElevenLabs', media: ['audio'] },
]

/** A value for the variable that enables a vendor. Some vendors need an address, others a key; every address is also a valid key. */
const addressOrKey = 'http://gpu-1.internal:8188'

function load(vendorId: string, { isSetUp = true } = {}) {
  const folder = new URL(`../../../catalog/${vendorId}`, import.meta.url).pathname
  const env = Object.fromEntries(
    vendors.filter(({ id }) => isSetUp && id === vendorId).map((vendor) => [enablingVariable(vendor), addressOrKey]),
  )
  return loadCatalog(folder, { connectors: connectorsOf(readConfig(env, { command: 'start', vendors }).vendors) })
}

test('this test describes every vendor of the release', () => {
  expect(shipped.map(({ id }) => id).toSorted()).toEqual(vendors.map(({ id }) => id).toSorted())
})

test.each(shipped)(
  'the families of $name run with the parameters of their files, and are absent until the vendor is set up',
  async (vendor) => {
    const { families } = await load(vendor.id)
    const media = new Set([...families.values()].map(({ outputType }) => outputType))
    expect([...media].toSorted()).toEqual(vendor.media.toSorted())
    expect(new Set([...families.values()].map((family) => family.vendor))).toEqual(new Set([vendor.name]))
    expect([...families.keys()].filter((id) => !id.startsWith(`${vendor.id}-`))).toEqual([])

    const notSetUp = await load(vendor.id, { isSetUp: false })
    expect([...notSetUp.families.keys()]).toEqual([])
    expect([...notSetUp.absentProviderIds]).toEqual([vendor.id])
  },
)

test.each(shipped)('every parameter of $name has a title and a description for forms', async ({ id }) => {
  const { families } = await load(id)
  const undescribed = [...families.values()].flatMap((family) =>
    Object.entries(family.parameters.properties).flatMap(([name, { title, description }]) =>
      title && description ? [] : [`${family.id}: ${name}`],
    ),
  )
  expect(undescribed).toEqual([])
})

test('the worked example needs only a description and a catalog file', async () => {
  const folder = new URL('../../../examples/lantern/catalog', import.meta.url).pathname
  const familiesOf = async (config: VendorsConfig) => {
    const { families } = await loadCatalog(folder, { connectors: connectorsOf(config, [lantern]) })
    return [...families.keys()]
  }
  const config = vendorsOf(readVariables({ LANTERN_API_KEY: 'key' }, [lantern]).vendorValues, [lantern])
  expect(await familiesOf(config)).toEqual(['lantern-image'])
  expect(await familiesOf({})).toEqual([])
  const settings = { allowedPrivateAddresses: [], ownAddresses: { listeners: [], names: [] } }
  expect(openVendors({ settings } as unknown as Services, config, [lantern]).map(({ id }) => id)).toEqual(['lantern'])
})
