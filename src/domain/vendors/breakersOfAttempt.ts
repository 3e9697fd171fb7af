import { type BreakerSubject, breakersOfFamily } from './breakers.ts'

/**
 * The breakers that keep work from a provider, and for which its success speaks. A fallback meets that of its vendor alone: the family's
 * stands for the variant that it stands in for. One that only plays failures meets none.
 */
export function breakersOfAttempt(
  { familyId, isFallback }: { familyId: string; isFallback: boolean },
  provider: { id: string; simulated?: true },
): BreakerSubject[] {
  if (provider.simulated) return []
  return isFallback ? [`vendor:${provider.id}`] : breakersOfFamily(familyId, [provider.id])
}
