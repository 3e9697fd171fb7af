import type { Catalog } from '../catalog/loadCatalog.ts'

/** How much may be at a vendor at once, and how often it may be asked in a minute; absent means no limit. */
export type Load = { readonly atOnce?: number | undefined; readonly perMinute?: number | undefined }

/** What is limited at a provider, in the order in which our SQL takes it; each family may be at other providers, too. */
export type ProviderLimits = {
  providerId: string
  atOnce: number | null
  perMinute: number | null
  families: string[]
  familiesAtOnce: (number | null)[]
  familiesPerMinute: (number | null)[]
}

type Known = { catalog: Catalog; settings: { vendorLoads: ReadonlyMap<string, Load> } }

const known = new WeakMap<Catalog, Map<string, ProviderLimits>>()

/** What is limited at a provider: the same for all work there, as its file and the operator's variables say. */
export function providerLimits({ catalog, settings }: Known, providerId: string): ProviderLimits {
  const byProvider = known.get(catalog) ?? new Map<string, ProviderLimits>()
  known.set(catalog, byProvider)
  const kept = byProvider.get(providerId)
  if (kept) return kept
  const { atOnce = null, perMinute = null } = settings.vendorLoads.get(providerId) ?? {}
  const own = [...catalog.families.values()].filter(({ variants }) => variants.some(({ provider }) => provider.id === providerId))
  const limits = {
    providerId,
    atOnce,
    perMinute,
    families: own.map(({ id }) => id),
    familiesAtOnce: own.map(({ load }) => load.atOnce ?? null),
    familiesPerMinute: own.map(({ load }) => load.perMinute ?? null),
  }
  byProvider.set(providerId, limits)
  return limits
}

/** Whether work of the family may have to wait at the provider. */
export function isLimited(limits: ProviderLimits, familyId: string): boolean {
  const place = limits.families.indexOf(familyId)
  const ofFamily = [limits.familiesAtOnce[place], limits.familiesPerMinute[place]]
  return [limits.atOnce, limits.perMinute, ...ofFamily].some((limit) => typeof limit === 'number')
}

/** The providers at which room may come of a slot that is free at this one: itself, and those that share a limited family with it. */
export function providersSharingLimits(known: Known, providerId: string): string[] {
  const shared = [...known.catalog.families.values()].filter(
    ({ load, variants }) => (load.atOnce ?? load.perMinute) !== undefined && variants.some(({ provider }) => provider.id === providerId),
  )
  return [...new Set([providerId, ...shared.flatMap(({ variants }) => variants.map(({ provider }) => provider.id))])]
}
