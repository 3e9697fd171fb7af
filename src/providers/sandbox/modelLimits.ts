import type { MediumLimits } from '../../contract/shapes/media.ts'
import type { JobLimits, JobSpec, ProviderInput } from '../provider.ts'
import type { ImageLimits } from './renderTask.ts'

/** The limits of a sandbox model. The prompt limit is in code points. */
export type ModelLimits = {
  promptCharactersMax: number
  media: Record<ProviderInput['field'], MediumLimits & { maxBytes: number }>
  image: ImageLimits
}

const promptCharactersMax: Record<JobSpec['outputType'], number> = { image: 2000, video: 2000, audio: 5000, model3d: 1000 }
const inputBytesMax = 26_214_400
const imageSideMax = 16_384
/** Above the largest output sides of our families, and within the memory of a render. */
const imagePixelsMax = 67_108_864
const ratioMax = imageSideMax

/** The limits that the catalog declares for the variant, and our own for the rest. */
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

/** The limits of a variant without declared limits. */
export const undeclaredLimits: JobLimits = {
  prompt: { maxLength: null },
  images: { mimeTypes: [] },
  videos: { mimeTypes: [] },
  audios: { mimeTypes: [] },
  models3d: { mimeTypes: [] },
}
