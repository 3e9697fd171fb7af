import type { Catalog } from '../domain/catalog/loadCatalog.ts'
import type { Generation } from '../entities/Generation.ts'
import { type PublicGeneration, presentGeneration, type ResultLink } from './generation.ts'

export type PresenterOptions = {
  catalog: Catalog
  /** Makes the link to a result for whoever holds the key; null for internal tools. */
  linkTo(generationId: string, keyId: string | null): ResultLink
}

/** Made once per process: presents generations, each with a link bound to the key that will hold it. */
export function makePresenter({ catalog, linkTo }: PresenterOptions) {
  const typicalSeconds = typicalSecondsByModel(catalog)
  return (generation: Generation, keyId: string | null): PublicGeneration =>
    presentGeneration(generation, {
      linkTo: ({ id }) => linkTo(id, keyId),
      pollAfterSeconds: ({ modelId }) => pauseFor(typicalSeconds.get(modelId ?? '') ?? 1),
    })
}

/** A fifth of the usual run time, between 1 and 15 seconds. */
function pauseFor(typical: number): number {
  return Math.min(15, Math.max(1, Math.ceil(typical / 5)))
}

function typicalSecondsByModel(catalog: Catalog): Map<string, number> {
  const variants = [...catalog.families.values()].flatMap((family) => family.variants)
  return new Map(variants.map((variant) => [variant.modelId, variant.expectedRunSeconds.typical]))
}
