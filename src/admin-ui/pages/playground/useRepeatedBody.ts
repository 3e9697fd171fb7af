import { useClient } from 'urql'
import { FamilyQuery, familyOf } from '../catalog/catalogQueries.ts'
import { type GenerationBody, generationBody } from '../catalog/generationBody.ts'
import type { Generation } from '../history/historyQuery.ts'
import { draftOf } from './repeatedRequest.ts'

/** Returns a function that builds the request of a generation once more; `undefined` when its variant is no longer in the catalog. */
export function useRepeatedBody(teamId: string): (generation: Generation) => Promise<GenerationBody | undefined> {
  const client = useClient()
  return async (generation) => {
    const { data } = await client.query(FamilyQuery, { id: generation.familyId, teamId }).toPromise()
    const family = data?.family && familyOf(data.family)
    const variant = family?.variants.find(({ modelId }) => modelId === generation.modelId)
    return family && variant ? generationBody(family, variant, draftOf(generation)) : undefined
  }
}
