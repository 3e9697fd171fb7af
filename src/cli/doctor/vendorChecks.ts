import type { VendorsConfig } from '../../config/vendors.ts'
import { enablingVariable } from '../../config/vendorVariables.ts'
import type { Services } from '../../domain/context.ts'
import { openProviderCall } from '../../jobs/steps/openProviderCall.ts'
import { NotSent } from '../../network/trustedRequest.ts'
import type { Vendor } from '../../providers/connector/vendor.ts'
import type { Provider } from '../../providers/provider.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import { vendors } from '../../providers/vendors.ts'
import type { Check } from './check.ts'

/**
 * Returns one check for each vendor: not set up, healthy, rejects its key, or unreachable. The first check of a round asks all vendors
 * at the same time; a check that runs a second time begins a new round. No message contains a key.
 */
export function vendorChecks(
  services: Pick<Services, 'clock' | 'log'>,
  providers: Pick<ProviderRegistry, 'get'>,
  config: VendorsConfig,
  described: readonly Vendor[] = vendors,
): Check[] {
  const outcomeOf = (vendor: Vendor) => {
    const { id } = vendor
    const provider = config[id] && providers.get(id)
    return provider
      ? asked(services, provider, config[id]?.key)
      : Promise.resolve({ ok: true, words: `not set up: ${enablingVariable(vendor)} is not set` })
  }
  let round = new Map<string, ReturnType<typeof outcomeOf>>()
  const taken = (vendor: Vendor) => {
    if (!round.has(vendor.id)) round = new Map(described.map((each) => [each.id, outcomeOf(each)]))
    const outcome = round.get(vendor.id)
    round.delete(vendor.id)
    return outcome ?? outcomeOf(vendor)
  }
  return described.map((vendor) => {
    const { id } = vendor
    return {
      name: `vendor ${id}`,
      costly: true,
      run: async () => {
        const { ok, words } = await taken(vendor)
        if (!ok) throw new Error(words)
        return words
      },
    }
  })
}

/** As in the alert AtelierProviderSlow. */
const slowSeconds = 10

/** Never rejects. */
async function asked({ clock, log }: Pick<Services, 'clock' | 'log'>, provider: Provider, key: string | undefined) {
  const redactKey = (words: string) => (key ? words.replaceAll(key, '…') : words)
  const { health } = provider
  if (!health) return { ok: true, words: 'set up; it has no health check' }
  try {
    using call = openProviderCall(provider, 'health', { clock, log })
    const startedAt = clock.now().getTime()
    const { ok, message } = await call.awaitAnswer(health(call.context))
    const seconds = (clock.now().getTime() - startedAt) / 1_000
    const slow = seconds > slowSeconds ? `, but took ${seconds.toFixed(0)} s to answer` : ''
    return { ok: ok && slow === '', words: redactKey(message ?? (ok ? 'well' : 'not well')) + slow }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      words: redactKey(error instanceof NotSent ? `cannot be reached (${words})` : `does not answer as it should (${words})`),
    }
  }
}

/** Checks that every variant has a provider, and that the providers without an account are healthy. */
export async function describeProviders(
  { catalog, clock, log }: Pick<Services, 'catalog' | 'clock' | 'log'>,
  providers: ProviderRegistry,
): Promise<string> {
  const missing = [...catalog.families.values()].flatMap((family) =>
    family.variants
      .filter((variant) => !providers.get(variant.provider.id))
      .map((variant) => `${variant.modelId} needs ${variant.provider.id}`),
  )
  if (missing.length > 0) throw new Error(missing.join('; '))
  const own = providers.list().filter(({ simulated }) => simulated)
  for (const provider of own) {
    if (!provider.health) continue
    using call = openProviderCall(provider, 'health', { clock, log })
    const { ok, message } = await call.awaitAnswer(provider.health(call.context))
    if (!ok) throw new Error(`${provider.id}: ${message ?? 'not well'}`)
  }
  return `every model has its own; ${own.map(({ id }) => id).join(', ')} well`
}
