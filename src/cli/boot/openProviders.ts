import type { VendorsConfig } from '../../config/vendors.ts'
import type { Services } from '../../domain/context.ts'
import { makeRegistry, type ProviderRegistry } from '../../providers/registry.ts'
import { makeSandboxProvider } from '../../providers/sandbox/sandboxProvider.ts'
import { openVendors } from './openVendors.ts'

/** Returns the providers that this process can use. */
export function openProviders(services: Services, vendors: VendorsConfig): ProviderRegistry {
  const { log, settings } = services
  const onFault = (reason: string) => log.warn({ reason }, 'a sandbox render failed')
  return makeRegistry([makeSandboxProvider({ folder: settings.temporaryFolder, onFault }), ...openVendors(services, vendors)])
}
