import { breakersOfAttempt } from '../../domain/vendors/breakersOfAttempt.ts'
import { failGeneration } from './failGeneration.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { isPastDeadline, type Step, secondsLeft } from './step.ts'
import { switchToFallback } from './switchToFallback.ts'

/** Random, so that waiting jobs do not all start when the lock expires. */
const jitterSeconds = 5

/**
 * Requeues work whose family or vendor is locked by a circuit breaker. It waits without a charge until it may run as a trial, or until
 * the deadline. A fallback variant takes it if there is one.
 */
export async function waitForBreaker(step: Step): Promise<void> {
  const { breakers } = step.context
  const { familyId, fallbackModelId } = step.claim.generation
  const subjects = breakersOfAttempt({ familyId, isFallback: fallbackModelId !== null }, step.provider)
  if (await switchToFallback(step)) return
  if (isPastDeadline(step)) return failGeneration(step, { code: 'model_unavailable', reason: 'model_offline' }, { neverSubmitted: true })
  await breakers.refresh()
  const pause = Math.max(1, breakers.lockedSeconds(subjects)) + Math.random() * jitterSeconds
  await rescheduleStep(step, Math.min(pause, secondsLeft(step)))
}
