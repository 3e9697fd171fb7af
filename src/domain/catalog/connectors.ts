import type { Problem } from './checkFamily.ts'
import type { Family, Variant } from './family.ts'

/** What the catalog must know of a provider, before any of its work is done. */
export type Connector = {
  /** Whether the operator has given it what it needs; its families are absent otherwise. */
  readonly isSetUp: boolean
  /** What keeps the provider from running the variant as the file describes it; paths start from the variant. */
  check(variant: Variant, family: Pick<Family, 'outputType'>): Problem[]
}

/** By the id of the provider. */
export type Connectors = ReadonlyMap<string, Connector>

/** What the providers of a family say against its variants. A provider that nobody knows is for the start to find. */
export function checkConnectors(family: Family, connectors: Connectors): Problem[] {
  return family.variants.flatMap((variant, index) =>
    (connectors.get(variant.provider.id)?.check(variant, family) ?? []).map(({ path, reason }) => ({
      path: `variants[${index}]${path ? `.${path}` : ''}`,
      reason,
    })),
  )
}
