import type { Services } from '../domain/context.ts'
import { makeRegistry, type ProviderRegistry } from '../providers/registry.ts'
import { makeSandboxProvider } from '../providers/sandbox/sandboxProvider.ts'

/** The providers that this process can run work on. */
export function openProviders({ log, settings }: Services): ProviderRegistry {
  const onFault = (reason: string) => log.warn({ reason }, 'a sandbox render broke')
  return makeRegistry([makeSandboxProvider({ folder: settings.temporaryFolder, onFault })])
}
