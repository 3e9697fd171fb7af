import type { Draft } from '../catalog/generationBody.ts'
import { entriesOf } from '../history/generationLabels.ts'
import type { Generation } from '../history/historyQuery.ts'

type Request = Pick<Generation, 'familyId' | 'modelId' | 'prompt' | 'parameters' | 'inputs'>

/** The request of a generation as a draft of the form. */
export function draftOf({ modelId, prompt, parameters, inputs }: Request): Draft {
  const media = { images: inputs.imageIds, videos: inputs.videoIds, audios: inputs.audioIds, models3d: inputs.model3dIds }
  return {
    modelId: modelId ?? '',
    prompt: prompt ?? '',
    parameters: Object.fromEntries(entriesOf(parameters)),
    media: Object.fromEntries(Object.entries(media).flatMap(([medium, ids]) => (ids.length > 0 ? [[medium, ids.join('\n')]] : []))),
  }
}
