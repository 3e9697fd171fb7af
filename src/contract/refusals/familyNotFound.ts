import { appendSuggestion, nearestName } from './nearestName.ts'
import { Refusal, refusalTable } from './refusals.ts'

/**
 * Names the one of the catalog's families that was probably meant: every caller may list them all.
 * Contract: docs/contract.md#nearest-names.
 */
export function familyNotFound(familyId: string, familyIds: Iterable<string>): Refusal {
  const nearest = nearestName(familyId, familyIds)
  if (nearest === undefined) return new Refusal('family_not_found', { familyId })
  const message = appendSuggestion(refusalTable.family_not_found.message, nearest)
  return new Refusal('family_not_found', { familyId, nearest }, { message })
}
