import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { enablingVariable, vendorVariables } from './vendorVariables.ts'

/** Where a vendor is reached, without a slash at its end, and with which key. */
export type VendorConfig = { readonly url: string; readonly key: string | undefined }

/** By the id of each vendor; `undefined` where it is not set up. Contract: docs/contract.md#providers. */
export type VendorsConfig = Readonly<Record<string, VendorConfig | undefined>>

/** How much may be at a vendor at once, and how often it may be asked in a minute; absent means no limit. */
export type VendorLoad = { readonly atOnce: number | undefined; readonly perMinute: number | undefined }

/** What the variables of vendors are set to, by their names. */
export type VendorValues = Readonly<Record<string, string | number | undefined>>

/** Which of `vendors` the variables set up. Throws {@link ConfigError} for a key without the address that it needs. */
export function vendorsOf(values: VendorValues, vendors: readonly Vendor[]): VendorsConfig {
  return Object.freeze(Object.fromEntries(vendors.map((vendor) => [vendor.id, vendorOf(values, vendor)])))
}

/** What the variables limit, by the id of each vendor, whether it is set up or not. */
export function vendorLoadsOf(values: VendorValues, vendors: readonly Vendor[]): Readonly<Record<string, VendorLoad>> {
  const loadOf = ({ variables: { atOnce, perMinute } }: Vendor) => ({
    atOnce: numberOf(values[atOnce]),
    perMinute: numberOf(values[perMinute]),
  })
  return Object.freeze(Object.fromEntries(vendors.map((vendor) => [vendor.id, loadOf(vendor)])))
}

function vendorOf(values: VendorValues, vendor: Vendor): VendorConfig | undefined {
  const key = textOf(values[vendor.variables.key])
  const url = textOf(values[vendor.variables.url]) ?? vendor.variables.defaultUrl
  const needed = enablingVariable(vendor)
  if (key !== undefined && url === undefined) {
    const takes = vendorVariables([vendor])[needed]?.takes
    throw new ConfigError(`${needed} is not set, and ${vendor.variables.key} is: it takes ${takes}`)
  }
  return values[needed] === undefined || url === undefined ? undefined : { url, key }
}

function textOf(value: string | number | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: string | number | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
