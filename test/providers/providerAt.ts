import { parseCidrs } from '../../src/network/addresses.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { VendorUnderTest } from '../support/conformance/vendorUnderTest.ts'

/** The provider of a vendor, as the service makes it, at an address. */
export function providerAt({ vendor, key }: Pick<VendorUnderTest, 'vendor' | 'key'>, url: string): Provider {
  return vendor.make({ url, key, outputs: { allowedPrivate: parseCidrs('127.0.0.1/32'), own: { listeners: [], names: [] } } })
}
