import { type GenerationState, generationStates } from '../../entities/Generation.ts'

/** Who moves a generation on: its own jobs, a caller who cancels, the reconciler past the deadline, the editor for what it runs itself. */
export type TransitionActor = 'job' | 'caller' | 'reconciler' | 'editor'

/**
 * What may follow each state, and who may do it. Every move is a compare-and-set from the states that stand here for it.
 * Contract: docs/contract.md#states.
 */
const allowedTransitions: Record<GenerationState, Partial<Record<GenerationState, readonly TransitionActor[]>>> = {
  queued: { running: ['job'], failed: ['job', 'reconciler'], cancelled: ['caller'] },
  running: { finalizing: ['job'], ready: ['editor'], failed: ['job', 'reconciler', 'editor'], cancelled: ['caller'] },
  finalizing: { ready: ['job'], failed: ['job', 'reconciler'] },
  ready: {},
  failed: {},
  cancelled: {},
}

export type EndState = 'ready' | 'failed' | 'cancelled'

/** The states out of which an end captures the price held; out of any other it is given back. */
const chargedFrom: Record<EndState, readonly GenerationState[]> = {
  ready: ['running', 'finalizing'],
  failed: [],
  cancelled: ['running'],
}

/** The job that brings a generation on. */
export type StepTask = 'submitGeneration' | 'pollGeneration' | 'finaliseGeneration'

/** The states in which each job finds something to do. Running work without a handle is left by a release that began before it asked. */
export const statesOfStep: Record<StepTask, readonly GenerationState[]> = {
  submitGeneration: ['queued', 'running'],
  pollGeneration: ['queued', 'running'],
  finaliseGeneration: ['finalizing'],
}

/** The states out of which `by` may move a generation to `to`, the earliest first. */
export function statesBefore(to: GenerationState, by: TransitionActor): GenerationState[] {
  return generationStates.filter((state) => allowedTransitions[state][to]?.includes(by))
}

export function isCharged(to: EndState, from: GenerationState): boolean {
  return chargedFrom[to].includes(from)
}
