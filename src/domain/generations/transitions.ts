import { type GenerationState, generationStates } from '../../entities/Generation.ts'

/** Who makes a transition: a job, a caller's cancel, the reconciler, or the editor for its own generations. */
export type TransitionActor = 'job' | 'caller' | 'reconciler' | 'editor'

/**
 * The allowed transitions and their actors. Every transition is a compare-and-set from the states listed here. An answer that is the result
 * passes through several of them in one write, see endReady.
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

/** An end from these states captures the hold; from any other state it releases the hold. */
const chargedFrom: Record<EndState, readonly GenerationState[]> = {
  ready: ['running', 'finalizing'],
  failed: [],
  cancelled: ['running'],
}

/** The jobs of a generation. */
export type StepTask = 'submitGeneration' | 'pollGeneration' | 'finaliseGeneration'

/** The states in which each job has work. Older releases may leave running work without a handle. */
export const statesOfStep: Record<StepTask, readonly GenerationState[]> = {
  submitGeneration: ['queued', 'running'],
  pollGeneration: ['queued', 'running'],
  finaliseGeneration: ['finalizing'],
}

/** The states from which `by` may move a generation to `to`, the earliest first. */
export function statesBefore(to: GenerationState, by: TransitionActor): GenerationState[] {
  return generationStates.filter((state) => allowedTransitions[state][to]?.includes(by))
}

export function isCharged(to: EndState, from: GenerationState): boolean {
  return chargedFrom[to].includes(from)
}
