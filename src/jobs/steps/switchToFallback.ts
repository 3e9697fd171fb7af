import { findFallbackVariant, startFallbackAttempt } from '../../domain/generations/steps/startFallbackAttempt.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakers.ts'
import type { Step } from './step.ts'

/**
 * Moves work that its provider has certainly not taken to the fallback variant of its catalog file. False when no fallback is available,
 * or when the provider may have the work since an earlier submit.
 */
export async function switchToFallback(step: Step): Promise<boolean> {
  const { context, claim, variant, provider } = step
  if (variant.fallback === undefined || claim.intentAt !== null) return false
  const fallback = await findFallbackVariant(context, claim, variant)
  const fallbackProvider = fallback && context.providers.get(fallback.provider.id)
  if (!fallback || !fallbackProvider) return false
  const subjects = breakersOfAttempt({ familyId: claim.generation.familyId, isFallback: true }, fallbackProvider)
  if (context.breakers.lockedSeconds(subjects) > 0) return false
  // False for work that has ended meanwhile. The caller records it as refused; otherwise its cancel would submit it again.
  if (!(await startFallbackAttempt(context, claim, fallback))) return false
  const from = { generationId: claim.generation.id, provider: provider.id, modelId: variant.modelId }
  context.log.info({ ...from, fallback: fallback.modelId }, 'a fallback variant takes the work')
  return true
}
