import type { Config } from '../../config/readConfig.ts'
import type { VendorsConfig } from '../../config/vendors.ts'
import type { Connectors } from '../../domain/catalog/connectors.ts'
import type { Services } from '../../domain/context.ts'
import { makeConnectionPool } from '../../network/connectionPool.ts'
import { redactKey } from '../../providers/connector/redactKey.ts'
import type { Vendor } from '../../providers/connector/vendor.ts'
import type { Provider } from '../../providers/provider.ts'
import { vendors } from '../../providers/vendors.ts'

/** The vendor data that the catalog needs. */
export function connectorsOf(config: VendorsConfig, described: readonly Vendor[] = vendors): Connectors {
  return new Map(
    described.map(({ id, check }) => [
      id,
      {
        isSetUp: config[id] !== undefined,
        check: (variant, { outputType }) =>
          check({ ...variant, outputType }).map(({ path, reason }) => ({
            path: ['provider.settings', path].filter(Boolean).join('.'),
            reason,
          })),
      },
    ]),
  )
}

/** The limits that operators set, by the id of the provider. */
export function loadsOf(loads: Config['vendorLoads']): ReadonlyMap<string, Config['vendorLoads'][string]> {
  return new Map(Object.entries(loads))
}

/** Connections to the hosts of results that stay open after a download. */
const keptDownloads = { max: 100, idleMilliseconds: 4_000 }

/** Opens the vendors that are set up. */
export function openVendors(
  { settings }: Pick<Services, 'settings'>,
  config: VendorsConfig,
  described: readonly Vendor[] = vendors,
): Provider[] {
  const connections = makeConnectionPool(keptDownloads)
  const outputs = { allowedPrivate: settings.allowedPrivateAddresses, own: settings.ownAddresses, connections }
  return described.flatMap(({ id, make }) => {
    const own = config[id]
    return own === undefined ? [] : [redactKey(make({ url: own.url, key: own.key, outputs }), own.key)]
  })
}
