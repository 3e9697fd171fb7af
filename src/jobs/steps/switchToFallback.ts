import { findFallbackVariant, startFallbackAttempt } from '../../domain/generations/steps/startFallbackAttempt.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakersOfAttempt.ts'
import type { Step } from './step.ts'

/**
 * Hands work that its provider has certainly not taken, for want of room, to the variant that its file names for this. False where there
 * is none that could take it now. A provider that may have the work since an earlier submit keeps it.
 */
export async function switchToFallback(step: Step): Promise<boolean> {
  const { context, claim, variant, provider } = step
  if (variant.fallback === undefined || claim.intentAt !== null) return false
  const other = await findFallbackVariant(context, claim, variant)
  const there = other && context.providers.get(other.provider.id)
  if (!other || !there) return false
  const subjects = breakersOfAttempt({ familyId: claim.generation.familyId, isFallback: true }, there)
  if (context.breakers.lockedSeconds(subjects) > 0) return false
  const from = { generationId: claim.generation.id, provider: provider.id, modelId: variant.modelId }
  // Work that has ended meanwhile still has to be written down as refused, or its cancel would hand it over again.
  if (!(await startFallbackAttempt(context, claim, other))) return false
  context.log.info({ ...from, fallback: other.modelId }, 'another variant takes the work over')
  return true
}
