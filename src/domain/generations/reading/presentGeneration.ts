import { type PublicGeneration, presentGeneration as present } from '../../../contract/shapes/generation.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Catalog } from '../../catalog/loadCatalog.ts'
import type { Services } from '../../context.ts'
import { type LinkHolder, resultLink } from '../links/resultLink.ts'

/**
 * The generation in its public shape, with a result link for the holder.
 * Contract: docs/contract.md#generation-object.
 */
export function presentGeneration(
  services: Pick<Services, 'catalog' | 'ring' | 'clock' | 'settings' | 'pool' | 'log' | 'docUrls'>,
  generation: Generation,
  holder: LinkHolder,
): PublicGeneration {
  return present(generation, {
    linkTo: ({ id }) => resultLink(services, { generationId: id, holder }),
    pollAfterSeconds: ({ modelId }) => pollIntervalOf(typicalSecondsIn(services.catalog).get(modelId ?? '') ?? 1),
    docUrls: services.docUrls,
  })
}

/** A fifth of the typical run time, between 1 and 15 seconds. */
function pollIntervalOf(typical: number): number {
  return Math.min(15, Math.max(1, Math.ceil(typical / 5)))
}

const typicalSeconds = new WeakMap<Catalog, Map<string, number>>()

/** Typical run times by model, computed once for a catalog. */
function typicalSecondsIn(catalog: Catalog): Map<string, number> {
  let byModel = typicalSeconds.get(catalog)
  if (!byModel) {
    const variants = [...catalog.families.values()].flatMap((family) => family.variants)
    byModel = new Map(variants.map((variant) => [variant.modelId, variant.expectedRunSeconds.typical]))
    typicalSeconds.set(catalog, byModel)
  }
  return byModel
}
