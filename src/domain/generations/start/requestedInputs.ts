import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { GenerationInputs } from '../../../entities/Generation.ts'
import type { MediaCounts } from '../../catalog/taskOf.ts'
import type { NamedInput } from '../../files/findInputs.ts'

/** The number of identifiers in each media field. */
export function mediaCountsOf(request: GenerationRequest): MediaCounts {
  return {
    imageIds: request.imageIds?.length ?? 0,
    videoId: request.videoId === undefined ? 0 : 1,
    videoIds: request.videoIds?.length ?? 0,
    audioIds: request.audioIds?.length ?? 0,
    model3dIds: request.model3dIds?.length ?? 0,
  }
}

/** The media lists of a generation. A single video is in the list of videos. */
export function inputsOf(request: GenerationRequest): GenerationInputs {
  return {
    imageIds: request.imageIds ?? [],
    videoIds: request.videoId === undefined ? (request.videoIds ?? []) : [request.videoId],
    audioIds: request.audioIds ?? [],
    model3dIds: request.model3dIds ?? [],
  }
}

/** All inputs with identifier and field, in a fixed order. */
export function namedInputsOf(inputs: GenerationInputs): NamedInput[] {
  const fields = ['imageIds', 'videoIds', 'audioIds', 'model3dIds'] as const
  return fields.flatMap((field) => inputs[field].map((id) => ({ id, field })))
}
