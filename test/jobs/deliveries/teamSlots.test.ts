import { expect, test } from 'vitest'
import { makeSlotBackoff, makeTeamSlots } from '../../../src/jobs/deliveries/teamSlots.ts'

const takeMany = (slots: ReturnType<typeof makeTeamSlots>, team: string, count: number) =>
  Array.from({ length: count }, (_, index) => slots.take(team, `${team}${index}`)).filter(Boolean).length

test('one team gets half of the slots, and each other team still gets a quarter', () => {
  const slots = makeTeamSlots(200)
  expect(takeMany(slots, 'busy', 500)).toBe(100)
  expect(takeMany(slots, 'second', 500)).toBe(50)
  expect(takeMany(slots, 'third', 1)).toBe(1)
  for (let count = 0; count < 100; count += 1) slots.release('busy')
  expect(takeMany(slots, 'third', 500)).toBe(49)
  slots.release('nobody')
  expect(takeMany(slots, 'busy', 500)).toBe(50)
})

test('a runner with one slot serves one team at a time', () => {
  const slots = makeTeamSlots(1)
  expect(takeMany(slots, 'busy', 2)).toBe(1)
  slots.release('busy')
  expect(takeMany(slots, 'other', 2)).toBe(1)
})

test('subscriptions without a slot wait in the line of their team, and each released slot is for the first of them', () => {
  const slots = makeTeamSlots(4)
  for (const id of ['a', 'b']) expect(slots.take('busy', id)).toBe(true)
  expect(slots.isWanted('busy')).toBe(false)
  for (const id of ['c', 'd', 'c']) expect(slots.take('busy', id)).toBe(false)
  expect([slots.isWanted('busy'), slots.isWanted('other')]).toEqual([true, false])
  expect(slots.release('busy')).toBe('c')
  expect(slots.take('busy', 'd')).toBe(true)
  expect(slots.isWanted('busy')).toBe(false)
  expect([slots.release('busy'), slots.release('busy'), slots.release('busy')]).toEqual([undefined, undefined, undefined])
})

test('a line stays when the last slot of its team is released', () => {
  const slots = makeTeamSlots(1)
  for (const id of ['a', 'b', 'c']) slots.take('busy', id)
  expect(slots.release('busy')).toBe('b')
  expect(slots.take('busy', 'b')).toBe(true)
  expect([slots.isWanted('busy'), slots.release('busy')]).toEqual([true, 'c'])
})

test('the pause of a subscription doubles up to 32 seconds, and starts again at one second after a reset', () => {
  const backoff = makeSlotBackoff()
  expect(Array.from({ length: 7 }, () => backoff.next('hook'))).toEqual([1, 2, 4, 8, 16, 32, 32])
  expect(backoff.next('other')).toBe(1)
  backoff.reset('hook')
  expect(backoff.next('hook')).toBe(1)
})
