import type { JobSpec, Json } from '../provider.ts'
import type { ImageLimits } from './renderOrder.ts'

/** What a sandbox model takes; the prompt in code points, files in bytes. */
export type ModelLimits = { promptCharactersMax: number; inputBytesMax: number; image: ImageLimits }

const promptCharactersMax: Record<JobSpec['outputType'], number> = { image: 2000, video: 2000, audio: 5000, model3d: 1000 }

/**
 * The limits of the variant: those of its catalog `settings` (`promptMaxLength`, `inputBytesMax`, `imageSideMin`, `imageSideMax`,
 * `imagePixelsMax`), and our own for each kind of output where the settings are silent or make no sense.
 */
export function modelLimits(spec: Pick<JobSpec, 'outputType' | 'settings'>): ModelLimits {
  const { settings } = spec
  return {
    promptCharactersMax: positive(settings['promptMaxLength'], promptCharactersMax[spec.outputType]),
    inputBytesMax: positive(settings['inputBytesMax'], 26_214_400),
    image: {
      sideMin: positive(settings['imageSideMin'], 1),
      sideMax: positive(settings['imageSideMax'], 16_384),
      pixelsMax: positive(settings['imagePixelsMax'], 64_000_000),
    },
  }
}

function positive(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise
}
