import type { Generation } from './historyQuery.ts'

/** All inputs in their order. */
export function inputIdsOf({ imageIds, videoIds, audioIds, model3dIds }: Generation['inputs']): string[] {
  return [...imageIds, ...videoIds, ...audioIds, ...model3dIds]
}

/** The inputs that are uploaded files; the other inputs are generations. */
export function fileIdsOf(inputs: Generation['inputs']): string[] {
  return inputIdsOf(inputs).filter((id) => id.startsWith('file_'))
}
