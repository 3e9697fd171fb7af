import { withTimeout } from '../../concurrency/withTimeout.ts'
import type { Submitted } from '../../providers/provider.ts'
import { endWithAnswer, inspectStaged } from './finaliseGeneration.ts'
import { type Step, secondsLeft } from './step.ts'

/** A result whose inspection takes longer is recorded first, so that callers see it finalizing and cannot cancel it. */
const inspectionMsMax = 250

/** Nearer to the deadline the outputs are recorded first: finalizing work does not fail at the deadline. */
const secondsLeftMin = 60

/**
 * queued → ready, for an answer to the first submit that is the result itself: its bytes are stored, so the end is the only write. Returns
 * false when the outputs must be recorded first: more than one, not what the vendor declared, an inspection that takes long or fails, a
 * deadline that is near, a claim that is lost, or a database that refuses the end. If that refusal hides a commit, the next write finds it.
 * Locks: those of endReady. Contract: docs/contract.md#states.
 */
export async function finaliseAnswer(step: Step, { outputs, cost = {} }: Extract<Submitted, { kind: 'done' }>): Promise<boolean> {
  const { context, claim, staged } = step
  const { id, accountId } = claim.generation
  if (!claim.hasIntent || accountId === null || !staged || outputs.length !== 1 || !outputs[0]?.kept) return false
  if (secondsLeft(step) < secondsLeftMin) return false
  step.countAsStarted()
  try {
    const measured = await withTimeout(inspectStaged(step, staged), { waitMs: inspectionMsMax })
    return measured?.mimeType === staged.mimeType && (await endWithAnswer(step, staged, { measured, cost }))
  } catch (error) {
    if (!step.unwanted.aborted) {
      context.log.warn({ generationId: id, error }, 'the answer to a submit could not be made the result at once')
    }
    return false
  }
}
