import type { Failure } from '../../contract/failures/failures.ts'
import type { Context } from '../../domain/context.ts'
import type { Ending } from '../../domain/generations/ending/endGeneration.ts'
import { endSerialized } from '../../domain/generations/ending/endSerialized.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'
import { breakersOfAttempt } from '../../domain/vendors/breakers.ts'
import { type BreakerOutcome, breakerOutcomeOfFailure } from '../../domain/vendors/recordBreakerOutcome.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { Output } from '../../providers/provider.ts'
import type { Step } from './step.ts'

/**
 * Fails a generation by the provider's verdict, without a charge. The provider needs no cancel. `neverSubmitted`: the provider was never
 * called, so its circuit breaker is left alone.
 */
export async function failGeneration(step: Step, failure: Failure, { neverSubmitted = false } = {}): Promise<void> {
  countProviderFault(step, failure)
  const breakerOutcome = neverSubmitted ? undefined : breakerOutcomeOf(step, failure)
  const cleanup = mayHaveStored(step) ? (['objects'] as const) : []
  await endStep(step, { to: 'failed', failure, cleanup, breakerOutcome })
}

/**
 * Fails a generation by our own verdict, without a charge, and queues a cancel at the provider. `isOurFault`: one of our processes ended,
 * so the provider's circuit breaker is left alone.
 */
export async function failAndCancel(step: Step, failure: Failure, { isOurFault = false } = {}): Promise<void> {
  countProviderFault(step, failure)
  const breakerOutcome = isOurFault ? undefined : breakerOutcomeOf(step, failure)
  await endStep(step, { to: 'failed', failure, cleanup: ['work', 'objects'], breakerOutcome })
}

/** All other codes are for mistakes and cancels of callers. */
const faultCodes: ReadonlySet<string> = new Set<Failure['code']>([
  'authentication',
  'insufficient_credits',
  'internal_error',
  'model_unavailable',
  'provider_error',
  'timeout',
])

function countProviderFault({ context, provider }: Step, { code }: Failure): void {
  if (faultCodes.has(code)) context.metrics.providerFault({ provider: provider.id, code })
}

/** The outcome that the circuit breakers of provider and family record; `undefined` for a provider that simulates failures. */
export function breakerOutcomeOf({ claim, provider }: Step, ended: Failure | 'ready'): BreakerOutcome | undefined {
  if (provider.simulated) return undefined
  const subject = { familyId: claim.generation.familyId, providerId: provider.id }
  const isFallback = claim.generation.fallbackModelId !== null
  return ended === 'ready'
    ? { successOf: breakersOfAttempt({ ...subject, isFallback }, provider) }
    : breakerOutcomeOfFailure(ended, subject)
}

/** Whether a job may have stored a result of this generation, or bytes that arrived with an answer. */
export function mayHaveStored({ claim, hasStagedOutput }: Step): boolean {
  if (hasStagedOutput) return true
  if ((claim.outputs as Output[] | null)?.some(({ kept }) => kept)) return true
  return claim.gatheredFence !== null && claim.generation.fence > claim.gatheredFence
}

/** Ends the generation of a step under its fence, by {@link endSerialized}. `undefined` when another transition came first. */
function endStep(
  { context, claim: { generation } }: { context: Context; claim: Pick<Claim, 'generation'> },
  ending: StepEnding,
): Promise<Generation | undefined> {
  return endSerialized(context, generation, { by: 'job', fence: generation.fence, ...ending })
}

/** Without the parts that come from the step. */
type StepEnding = DistributedOmit<Ending, 'by' | 'fence'>
type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
