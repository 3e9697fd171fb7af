import type { GenerationInputs } from '../../entities/Generation.ts'
import type { MediaCounts } from '../catalog/taskOf.ts'

/** A start or estimate whose shape is known to be right. `maxCredits` is in credits. Spec: POST /generations. */
export type GenerationRequest = {
  familyId: string
  prompt?: string | undefined
  axes?: Record<string, string> | undefined
  modelId?: string | undefined
  parameters?: Record<string, unknown> | undefined
  imageIds?: string[] | undefined
  videoId?: string | undefined
  videoIds?: string[] | undefined
  audioIds?: string[] | undefined
  model3dIds?: string[] | undefined
  maxCredits?: number | undefined
}

/** How many identifiers stand in each media field. */
export function mediaCountsOf(request: GenerationRequest): MediaCounts {
  return {
    imageIds: request.imageIds?.length ?? 0,
    videoId: request.videoId === undefined ? 0 : 1,
    videoIds: request.videoIds?.length ?? 0,
    audioIds: request.audioIds?.length ?? 0,
    model3dIds: request.model3dIds?.length ?? 0,
  }
}

/** The media lists as a generation keeps them: a single video stands in the list of videos. */
export function inputsOf(request: GenerationRequest): GenerationInputs {
  return {
    imageIds: request.imageIds ?? [],
    videoIds: request.videoId === undefined ? (request.videoIds ?? []) : [request.videoId],
    audioIds: request.audioIds ?? [],
    model3dIds: request.model3dIds ?? [],
  }
}
