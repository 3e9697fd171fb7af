import type { MediumLimits } from '../../contract/shapes/mediumLimits.ts'
import type { JobLimits, JobSpec, ProviderInput } from '../provider.ts'
import type { ImageLimits } from './renderTask.ts'

/** What a sandbox model takes; the prompt in code points. */
export type ModelLimits = {
  promptCharactersMax: number
  media: Record<ProviderInput['field'], MediumLimits & { maxBytes: number }>
  image: ImageLimits
}

const promptCharactersMax: Record<JobSpec['outputType'], number> = { image: 2000, video: 2000, audio: 5000, model3d: 1000 }
const inputBytesMax = 26_214_400
const imageSideMax = 16_384
/** More than the largest sides that our families allow give, and what a render has the memory for. */
const imagePixelsMax = 67_108_864
const ratioMax = imageSideMax

/** The limits of the variant, as the catalog declares them, and our own where it is silent. */
export function modelLimits({ limits, outputType }: Pick<JobSpec, 'limits' | 'outputType'>): ModelLimits {
  const { images } = limits
  const own = (medium: MediumLimits) => ({ ...medium, maxBytes: medium.maxBytes ?? inputBytesMax })
  return {
    promptCharactersMax: limits.prompt.maxLength ?? promptCharactersMax[outputType],
    media: { imageIds: own(images), videoIds: own(limits.videos), audioIds: own(limits.audios), model3dIds: own(limits.models3d) },
    image: {
      minWidth: images.minWidth ?? 1,
      maxWidth: images.maxWidth ?? imageSideMax,
      minHeight: images.minHeight ?? 1,
      maxHeight: images.maxHeight ?? imageSideMax,
      maxPixels: imagePixelsMax,
      minAspectRatio: images.minAspectRatio ?? 1 / ratioMax,
      maxAspectRatio: images.maxAspectRatio ?? ratioMax,
    },
  }
}

/** The limits of a variant whose catalog file declares none. */
export const undeclaredLimits: JobLimits = {
  prompt: { maxLength: null },
  images: { mimeTypes: [] },
  videos: { mimeTypes: [] },
  audios: { mimeTypes: [] },
  models3d: { mimeTypes: [] },
}
