import { setTimeout as pause } from 'node:timers/promises'
import { rescheduleStep } from './rescheduleStep.ts'
import { endLocalPoll, type Step } from './step.ts'

/** A longer pause is left to the queue, where another process can take the poll. */
const localSecondsMax = 10
const slotWaitMsMax = 2_000
const slotCheckMs = 20

/**
 * Decides that the job of this step waits for the next poll itself, in `seconds`, under the same claim. That saves four of ten transactions
 * of a generation whose vendor has a queue. Returns false if the queue must schedule the poll. Safe to repeat.
 */
export function planLocalPoll(step: Step, seconds: number): boolean {
  const { localPolls, shutdown } = step.context
  // Also false for NaN, with which a timer would end at once.
  if (!(seconds > 0 && seconds <= localSecondsMax) || shutdown.aborted) return false
  const place = step.localPoll?.place ?? localPolls?.take()
  if (!place) return false
  step.localPoll = { place, seconds }
  return true
}

/**
 * Waits until the planned poll is due, without a slot, and then for a slot. Returns false if this job does not run it: the generation
 * has ended, or the process stops or has had no free slot for seconds, and the poll was queued.
 */
export async function waitForLocalPoll(step: Step): Promise<boolean> {
  const { localPoll, unwanted, context } = step
  if (!localPoll) return true
  const signal = AbortSignal.any([unwanted, context.shutdown])
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal }).catch(() => undefined)
  const dueAt = performance.now() + localPoll.seconds * 1000
  step.releaseSlot()
  await wait(localPoll.seconds * 1000)
  // Polls of work that was started together are due together.
  while (!signal.aborted && !step.takeSlot() && performance.now() < dueAt + slotWaitMsMax) await wait(slotCheckMs)
  endLocalPoll(step)
  if (unwanted.aborted) return false
  if (!context.shutdown.aborted && step.takeSlot()) return true
  await rescheduleStep(step, Math.max(0, (dueAt - performance.now()) / 1000))
  return false
}
