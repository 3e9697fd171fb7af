import type { Config } from '../config/readConfig.ts'
import type { VariableName } from '../config/variables.ts'
import type { VendorsConfig } from '../config/vendors.ts'
import type { Connectors } from '../domain/catalog/connectors.ts'
import type { Services } from '../domain/context.ts'
import type { Load } from '../domain/vendors/load.ts'
import { comfyui } from '../providers/comfyui/comfyui.ts'
import { elevenlabs } from '../providers/elevenlabs/elevenlabs.ts'
import { fal } from '../providers/fal/fal.ts'
import { google } from '../providers/google/google.ts'
import { openai } from '../providers/openai/openai.ts'
import type { Provider } from '../providers/provider.ts'
import { replicate } from '../providers/replicate/replicate.ts'
import type { Vendor } from '../providers/vendor.ts'
import { withoutKey } from '../providers/withoutKey.ts'

/** Every vendor that we can speak to, by the name of its settings. A new one is a folder of providers and a line here. */
const vendors: Partial<Record<keyof VendorsConfig, Vendor>> = { openai, fal, replicate, comfyui, google, elevenlabs }

/** What the catalog has to know of the vendors. */
export function connectorsOf(config: VendorsConfig): Connectors {
  return new Map(
    entries().map(([name, { id, check }]) => [
      id,
      {
        isSetUp: config[name] !== undefined,
        check: (variant, { outputType }) =>
          check({ ...variant, outputType }).map(({ path, reason }) => ({
            path: ['provider.settings', path].filter(Boolean).join('.'),
            reason,
          })),
      },
    ]),
  )
}

/** The variable that sets each vendor up. */
export const setUpBy = {
  openai: 'OPENAI_API_KEY',
  fal: 'FAL_KEY',
  replicate: 'REPLICATE_API_TOKEN',
  comfyui: 'COMFYUI_URL',
  google: 'GEMINI_API_KEY',
  elevenlabs: 'ELEVENLABS_API_KEY',
} as const satisfies Record<keyof VendorsConfig, VariableName>

/** Every vendor by the name of its settings and the id of its provider. */
export function vendorIds(): { name: keyof VendorsConfig; id: string }[] {
  return entries().map(([name, { id }]) => ({ name, id }))
}

/** What operators limit, by the id of the provider. */
export function loadsOf(loads: Config['vendorLoads']): ReadonlyMap<string, Load> {
  return new Map(entries().map(([name, { id }]) => [id, loads[name]]))
}

/** The vendors that are set up, ready to be asked. */
export function openVendors({ settings }: Pick<Services, 'settings'>, config: VendorsConfig): Provider[] {
  const outputs = { allowedPrivate: settings.allowedPrivateAddresses, own: settings.ownAddresses }
  return entries().flatMap(([name, vendor]) => {
    const own = config[name]
    return own === undefined ? [] : [withoutKey(vendor.make({ url: own.url, key: own.key, outputs }), own.key)]
  })
}

function entries(): [keyof VendorsConfig, Vendor][] {
  return Object.entries(vendors) as [keyof VendorsConfig, Vendor][]
}
