import { expect, test } from 'vitest'
import { lantern } from '../../examples/lantern/index.ts'
import { readVariables } from '../../src/config/readVariables.ts'
import { vendorLoadsOf, vendorsOf } from '../../src/config/vendors.ts'
import type { Vendor } from '../../src/providers/connector/vendor.ts'

const { defaultUrl, ...withoutUsualUrl } = lantern.variables
/** Like Lantern, but self-hosted. */
const ownServer: Vendor = { ...lantern, variables: { ...withoutUsualUrl, defaultAtOnce: 2 } }

function configOf(env: Record<string, string>, vendor = lantern) {
  const { vendorValues } = readVariables(env, [vendor])
  return { vendor: vendorsOf(vendorValues, [vendor])['lantern'], load: vendorLoadsOf(vendorValues, [vendor])['lantern'] }
}

test('the variables of a vendor come from its description: the key enables it at its default address', () => {
  expect(configOf({})).toEqual({ vendor: undefined, load: {} })
  expect(configOf({ LANTERN_BASE_URL: 'http://gateway/v1' }).vendor).toBeUndefined()
  expect(configOf({ LANTERN_API_KEY: 'k' }).vendor).toEqual({ key: 'k', url: defaultUrl })
  expect(configOf({ LANTERN_API_KEY: 'k', LANTERN_BASE_URL: 'http://gateway/v1/' }).vendor).toEqual({ key: 'k', url: 'http://gateway/v1' })
  expect(configOf({ LANTERN_AT_ONCE: '3', LANTERN_PER_MINUTE: '60' }).load).toEqual({ atOnce: 3, perMinute: 60 })
})

test('a vendor without a default address is enabled by its address, and its key is optional', () => {
  expect(configOf({}, ownServer)).toEqual({ vendor: undefined, load: { atOnce: 2 } })
  expect(configOf({ LANTERN_BASE_URL: 'http://gpu-1' }, ownServer).vendor).toEqual({ url: 'http://gpu-1', key: undefined })
  expect(configOf({ LANTERN_BASE_URL: 'http://gpu-1', LANTERN_API_KEY: 'k' }, ownServer).vendor).toEqual({ url: 'http://gpu-1', key: 'k' })
  expect(() => configOf({ LANTERN_API_KEY: 'k' }, ownServer)).toThrow(
    'LANTERN_BASE_URL is not set, but LANTERN_API_KEY requires it: it takes an http or https address',
  )
})
