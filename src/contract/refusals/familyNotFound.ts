import { appendSuggestion, nearestName } from './nearestName.ts'
import { Refusal, refusalTable } from './refusals.ts'

/**
 * Suggests the most similar family. Every caller may list all families, so the suggestion reveals nothing.
 * Contract: docs/contract.md#nearest-names.
 */
export function familyNotFound(familyId: string, familyIds: Iterable<string>): Refusal {
  const nearest = nearestName(familyId, familyIds)
  if (nearest === undefined) return new Refusal('family_not_found', { familyId })
  const message = appendSuggestion(refusalTable.family_not_found.message, nearest)
  return new Refusal('family_not_found', { familyId, nearest }, { message })
}
