import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { mediaFields } from '../../../src/contract/shapes/media.ts'
import { loadCatalog } from '../../../src/domain/catalog/loadCatalog.ts'
import { type RequestShape, resolveVariant } from '../../../src/domain/catalog/resolveVariant.ts'
import type { MediaCounts } from '../../../src/domain/catalog/taskOf.ts'

const { families } = await loadCatalog(join(import.meta.dirname, '../../../catalog/sandbox'))

const counts: fc.Arbitrary<MediaCounts> = fc.record(Object.fromEntries(mediaFields.map((field) => [field, fc.nat(25)])), {
  requiredKeys: [],
})
const names = fc.oneof(fc.constantFrom('version', 'mode', 'tier', 'format', '__proto__', 'toString'), fc.string())
const values = fc.oneof(fc.constantFrom('draft', 'standard', 'pro', 'turbo', 'quality', 'basic', 'studio', 'glb', 'obj'), fc.string())
const modelIds = fc.oneof(
  fc.constantFrom(...[...families.values()].flatMap(({ variants }) => variants.map(({ modelId }) => modelId))),
  fc.string(),
)
const shapes: fc.Arbitrary<RequestShape> = fc.record(
  { hasPrompt: fc.boolean(), media: counts, axes: fc.dictionary(names, values, { maxKeys: 3 }), modelId: modelIds },
  { requiredKeys: ['hasPrompt', 'media'] },
)

test('any request shape either resolves to a variant that accepts it or is refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...families.values()), shapes, (family, request) => {
      try {
        const { inputs } = resolveVariant(family, request)
        const total = mediaFields.reduce((sum, field) => sum + (request.media[field] ?? 0), 0)
        const taken = [inputs.images, inputs.videos, inputs.audios, inputs.models3d]
        const exact = taken.every(({ field, min, max }) => (request.media[field] ?? 0) >= min && (request.media[field] ?? 0) <= max)
        const carried = taken.reduce((sum, { field }) => sum + (request.media[field] ?? 0), 0)
        return total <= 20 && exact && carried === total && (request.hasPrompt || !inputs.prompt.required)
      } catch (error) {
        return error instanceof Refusal && (error.code === 'invalid_parameters' || error.code === 'variant_not_resolved')
      }
    }),
    { numRuns: 2000, seed: 20_261_120 },
  )
})
