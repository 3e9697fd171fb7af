import type { Problem } from './checkFamily.ts'
import type { Family, Variant } from './family.ts'

/** The data that the catalog needs of a provider before any work is submitted. */
export type Connector = {
  /** True when the operator configured the provider. Otherwise its families are absent. */
  readonly isSetUp: boolean
  /** Returns the reasons why the provider cannot run the variant. Paths are relative to the variant. */
  check(variant: Variant, family: Pick<Family, 'outputType'>): Problem[]
}

/** By the id of the provider. */
export type Connectors = ReadonlyMap<string, Connector>

/** Checks all variants of a family with their providers. The start of the service detects unknown providers. */
export function checkConnectors(family: Family, connectors: Connectors): Problem[] {
  return family.variants.flatMap((variant, index) =>
    (connectors.get(variant.provider.id)?.check(variant, family) ?? []).map(({ path, reason }) => ({
      path: `variants[${index}]${path ? `.${path}` : ''}`,
      reason,
    })),
  )
}
