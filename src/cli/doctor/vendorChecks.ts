import type { VendorsConfig } from '../../config/vendors.ts'
import { enablingVariable } from '../../config/vendorVariables.ts'
import type { Services } from '../../domain/context.ts'
import { openProviderCall } from '../../jobs/steps/openProviderCall.ts'
import { NotSent } from '../../network/trustedRequest.ts'
import type { Vendor } from '../../providers/connector/vendor.ts'
import type { Provider } from '../../providers/provider.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import { vendors } from '../../providers/vendors.ts'

export type VendorCheck = { name: string; run(): Promise<string> }

/**
 * Returns one check for each vendor: not set up, healthy, rejects its key, or unreachable. Vendors are checked at the same time. No message
 * contains a key.
 */
export function vendorChecks(
  services: Pick<Services, 'clock' | 'log'>,
  providers: Pick<ProviderRegistry, 'get'>,
  config: VendorsConfig,
  described: readonly Vendor[] = vendors,
): VendorCheck[] {
  return described.map((vendor) => {
    const { id } = vendor
    const provider = config[id] && providers.get(id)
    const outcome = provider
      ? asked(services, provider, config[id]?.key)
      : Promise.resolve({ ok: true, words: `not set up: ${enablingVariable(vendor)} is not set` })
    return {
      name: `vendor ${id}`,
      run: async () => {
        const { ok, words } = await outcome
        if (!ok) throw new Error(words)
        return words
      },
    }
  })
}

/** Never rejects. */
async function asked({ clock, log }: Pick<Services, 'clock' | 'log'>, provider: Provider, key: string | undefined) {
  const redactKey = (words: string) => (key ? words.replaceAll(key, '…') : words)
  const { health } = provider
  if (!health) return { ok: true, words: 'set up; it has no health check' }
  try {
    using call = openProviderCall(provider, 'health', { clock, log })
    const { ok, message } = await call.awaitAnswer(health(call.context))
    return { ok, words: redactKey(message ?? (ok ? 'well' : 'not well')) }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      words: redactKey(error instanceof NotSent ? `cannot be reached (${words})` : `does not answer as it should (${words})`),
    }
  }
}
