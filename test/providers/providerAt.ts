import { parseCidrs } from '../../src/network/addresses.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { VendorUnderTest } from '../support/conformance/vendorUnderTest.ts'

/** Makes the provider of a vendor at a URL, as the service does. */
export function providerAt({ vendor, key }: Pick<VendorUnderTest, 'vendor' | 'key'>, url: string): Provider {
  return vendor.make({ url, key, outputs: { allowedPrivate: parseCidrs('127.0.0.1/32'), own: { listeners: [], names: [] } } })
}
