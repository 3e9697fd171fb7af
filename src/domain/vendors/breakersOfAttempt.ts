import { type BreakerSubject, breakersOfFamily } from './breakers.ts'

/**
 * The breakers that can stop an attempt at a provider, and that its success closes. A fallback depends only on the breaker of its vendor:
 * the breaker of the family is about the variant that it replaces. A simulating provider has none.
 */
export function breakersOfAttempt(
  { familyId, isFallback }: { familyId: string; isFallback: boolean },
  provider: { id: string; simulated?: true },
): BreakerSubject[] {
  if (provider.simulated) return []
  return isFallback ? [`vendor:${provider.id}`] : breakersOfFamily(familyId, [provider.id])
}
