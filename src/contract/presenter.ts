import type { Catalog } from '../domain/catalog/loadCatalog.ts'
import type { Clock } from '../domain/context.ts'
import { sealResultToken } from '../domain/generations/resultToken.ts'
import type { Generation } from '../entities/Generation.ts'
import type { KeyRing } from '../secrets/seal.ts'
import { type PublicGeneration, presentGeneration } from './generation.ts'

/** Made once per process: presents generations with links of this origin, each bound to the key that will hold it. */
export function makePresenter(options: { ring: KeyRing; clock: Clock; publicUrl: string; catalog: Catalog }) {
  const typicalSeconds = typicalSecondsByModel(options.catalog)
  return (generation: Generation, keyId: string | null): PublicGeneration =>
    presentGeneration(generation, {
      linkTo: ({ id }) => {
        const { token, expiresAt } = sealResultToken(options.ring, options.clock, id, keyId)
        return { url: `${options.publicUrl}/r/${token}`, expiresAt }
      },
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
