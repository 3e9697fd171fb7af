import type { Catalog } from '../catalog/loadCatalog.ts'

/** Limits of concurrent work and of requests per minute at a vendor. Absent means no limit. */
export type Load = { readonly atOnce?: number | undefined; readonly perMinute?: number | undefined }

/** The limits of a provider, in the order of the SQL parameters. A family may also be at other providers. */
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

/** The limits of a provider from the catalog and the operator's variables. Computed once per catalog. */
export function providerLimits({ catalog, settings }: Known, providerId: string): ProviderLimits {
  const byProvider = known.get(catalog) ?? new Map<string, ProviderLimits>()
  known.set(catalog, byProvider)
  const cached = byProvider.get(providerId)
  if (cached) return cached
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

/** True when work of the family may have to wait at the provider. */
export function isLimited(limits: ProviderLimits, familyId: string): boolean {
  const index = limits.families.indexOf(familyId)
  const ofFamily = [limits.familiesAtOnce[index], limits.familiesPerMinute[index]]
  return [limits.atOnce, limits.perMinute, ...ofFamily].some((limit) => typeof limit === 'number')
}

/** The providers that may have room when a slot of this one is released: itself, and those that share a limited family with it. */
export function providersSharingLimits(known: Known, providerId: string): string[] {
  const shared = [...known.catalog.families.values()].filter(
    ({ load, variants }) => (load.atOnce ?? load.perMinute) !== undefined && variants.some(({ provider }) => provider.id === providerId),
  )
  return [...new Set([providerId, ...shared.flatMap(({ variants }) => variants.map(({ provider }) => provider.id))])]
}
