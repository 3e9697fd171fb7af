import { expect, test } from 'vitest'
import { isCharged, statesBefore, type TransitionActor } from '../../../src/domain/generations/transitions.ts'
import { generationStates } from '../../../src/entities/Generation.ts'

const movers: TransitionActor[] = ['job', 'caller', 'reconciler']

test('the transitions between states are those of the contract', () => {
  const following = (from: string) =>
    generationStates.filter((to) => movers.some((by) => (statesBefore(to, by) as string[]).includes(from)))
  expect(Object.fromEntries(generationStates.map((state) => [state, following(state)]))).toEqual({
    queued: ['running', 'failed', 'cancelled'],
    running: ['finalizing', 'failed', 'cancelled'],
    finalizing: ['ready', 'failed'],
    ready: [],
    failed: [],
    cancelled: [],
  })
})

test('a cancel is free before running and charged after that, a failure is free, a result is charged', () => {
  expect(statesBefore('cancelled', 'caller').map((state) => isCharged('cancelled', state))).toEqual([false, true])
  expect(statesBefore('failed', 'job').map((state) => isCharged('failed', state))).toEqual([false, false, false])
  expect(statesBefore('ready', 'job').map((state) => isCharged('ready', state))).toEqual([true])
})

test('the editor ends only its own generations', () => {
  expect(generationStates.map((to) => statesBefore(to, 'editor'))).toEqual([[], [], [], ['running'], ['running'], []])
})
