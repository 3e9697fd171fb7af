import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { enablingVariable, vendorVariables } from './vendorVariables.ts'

/** Address of a vendor without a trailing slash, and its key. */
export type VendorConfig = { readonly url: string; readonly key: string | undefined }

/** Settings by vendor id; undefined for a vendor that is not set up. Contract: docs/contract.md#providers. */
export type VendorsConfig = Readonly<Record<string, VendorConfig | undefined>>

/** Limits of a vendor: concurrent generations, and requests per minute. Undefined means no limit. */
export type VendorLoad = { readonly atOnce: number | undefined; readonly perMinute: number | undefined }

/** Values of the vendors' variables by name. */
export type VendorValues = Readonly<Record<string, string | number | undefined>>

/** Returns the settings of the configured vendors. Throws {@link ConfigError} for a key without its required address. */
export function vendorsOf(values: VendorValues, vendors: readonly Vendor[]): VendorsConfig {
  return Object.freeze(Object.fromEntries(vendors.map((vendor) => [vendor.id, vendorOf(values, vendor)])))
}

/** Returns the limits of all vendors by id, including vendors that are not set up. */
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
    throw new ConfigError(`${needed} is not set, but ${vendor.variables.key} requires it: it takes ${takes}`)
  }
  return values[needed] === undefined || url === undefined ? undefined : { url, key }
}

function textOf(value: string | number | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: string | number | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
