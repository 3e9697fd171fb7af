import { setTimeout as pause } from 'node:timers/promises'
import { livenessLimits } from '../../database/liveness/livenessLimits.ts'
import { pollForBacklog } from '../../database/queue/queuePool.ts'
import { isClaimed } from '../../domain/generations/steps/claimGeneration.ts'
import { rescheduleStep } from './rescheduleStep.ts'
import { isOutage, retryOnOutage } from './retryWrite.ts'
import { endLocalPoll, type Step } from './step.ts'

/** A longer pause is left to the queue, where another process can take the poll. */
const localSecondsMax = 10
/** An older claim is checked before the poll. Most vendors are polled every two seconds, and then need no check. */
const claimCheckMs = 2_500
/** Without heartbeats for this time, a process counts as dead and loses its claims. */
const deadAfterMs = livenessLimits.heartbeatTimeoutSeconds * 1000

/**
 * Decides that the job of this step waits for the next poll itself, in `seconds`, under the same claim. That saves the four transactions
 * of another run of the queue. Returns false if the queue must schedule the poll. Safe to repeat.
 */
export function planLocalPoll(step: Step, seconds: number): boolean {
  const { localPolls, shutdown } = step.context
  // Also false for NaN, with which a timer would end at once.
  if (!(seconds > 0 && seconds <= localSecondsMax) || shutdown.aborted) return false
  // A write that is repeated plans its poll again.
  const permit = step.localPoll?.permit ?? localPolls?.take()
  if (!permit) return false
  step.localPoll = { permit, seconds }
  return true
}

/**
 * Waits without a slot until the planned poll is due, and then for a slot of local polls. Returns true if this job runs the next step; at once
 * if no poll is planned. Returns false if the generation has ended or was claimed by another job, and if the poll was queued, because the
 * process stops, was stopped, or had no free slot in time.
 */
export async function waitForLocalPoll(step: Step): Promise<boolean> {
  const { localPoll, unwanted, context } = step
  if (!localPoll) return true
  const signal = AbortSignal.any([unwanted, context.shutdown])
  const dueAt = performance.now() + localPoll.seconds * 1000
  step.releaseSlot()
  // The job keeps its runner, so no end of a job lets the runners fetch the next one.
  pollForBacklog(context.pool)
  await pause(localPoll.seconds * 1000, undefined, { signal }).catch(() => undefined)
  const hasSlot = await takeSlot(step, signal)
  endLocalPoll(step)
  if (hasSlot === undefined || unwanted.aborted) return false
  if (hasSlot && !context.shutdown.aborted && isClaimFresh(step, deadAfterMs)) return true
  await rescheduleStep(step, Math.max(0, (dueAt - performance.now()) / 1000))
  return false
}

/**
 * Takes a slot for the poll, with a checked claim. False if there was none in time, `undefined` if the claim is lost. An outage of the database
 * uses up neither the time of the wait nor a slot.
 */
async function takeSlot(step: Step, signal: AbortSignal): Promise<boolean | undefined> {
  const { context, claim, unwanted } = step
  const onRefused = (error: unknown) =>
    context.log.debug({ generationId: claim.generation.id, error }, 'the claim of a waiting job could not be checked yet')
  for (;;) {
    // Throwing would make the queue run all waiting jobs again after an outage.
    if (unwanted.aborted || !(await retryOnOutage(() => checkClaim(step), onRefused))) return undefined
    if (!(await step.takeLocalSlot(signal))) return false
    try {
      return (await checkClaim(step)) ? true : undefined
    } catch (error) {
      if (!isOutage(error)) throw error
      onRefused(error)
      step.releaseSlot()
    }
  }
}

/** Another process may have taken over the work while this one was stopped, and a vendor may give a result only once. */
async function checkClaim(step: Step): Promise<boolean> {
  if (isClaimFresh(step, claimCheckMs)) return true
  const checkedAt = performance.now()
  const isOurs = await isClaimed(step.context, step.claim)
  step.claimedAt = checkedAt
  return isOurs
}

function isClaimFresh({ claimedAt }: Step, milliseconds: number): boolean {
  return performance.now() - claimedAt < milliseconds
}
