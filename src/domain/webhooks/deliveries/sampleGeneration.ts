import { hundredths } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { type Generation, type GenerationResult, generationDefaults } from '../../../entities/Generation.ts'
import type { Catalog } from '../../catalog/loadCatalog.ts'

/**
 * A ready generation with every field set, for test events. It names a family and a variant of the catalog: those of `sandbox-image`, or
 * without it those of the first family.
 */
export function sampleGeneration({ families }: Pick<Catalog, 'families'>, ownerId: string, finishedAt: Date): Generation {
  const id = newId('gen')
  const family = families.get('sandbox-image') ?? [...families.values()][0]
  const [variant] = family?.variants ?? []
  const outputType = family?.outputType ?? 'image'
  const secondsBefore = (seconds: number) => new Date(finishedAt.getTime() - seconds * 1000)
  return {
    ...generationDefaults(),
    id,
    ownerId,
    source: 'rest',
    state: 'ready',
    familyId: family?.id ?? 'sandbox-image',
    modelId: variant?.modelId ?? null,
    task: variant?.tasks[0] ?? null,
    outputType,
    axes: variant?.axes ?? {},
    prompt: 'A test event without a generation.',
    price: hundredths(100),
    creditsCharged: hundredths(100),
    attempt: 1,
    result: { storageKey: `results/${id}/0`, sizeBytes: 4096, sha256: '', ...sampleMedia[outputType] },
    createdAt: secondsBefore(2),
    startedAt: secondsBefore(1),
    finishedAt,
  }
}

type SampleMedia = Pick<Extract<GenerationResult, { storageKey: string }>, 'mimeType' | 'width' | 'height' | 'durationSeconds'>

const sampleMedia: Record<OutputType, SampleMedia> = {
  image: { mimeType: 'image/png', width: 512, height: 512, durationSeconds: null },
  video: { mimeType: 'video/mp4', width: 512, height: 512, durationSeconds: 2 },
  audio: { mimeType: 'audio/mpeg', width: null, height: null, durationSeconds: 2 },
  model3d: { mimeType: 'model/gltf-binary', width: null, height: null, durationSeconds: null },
}
