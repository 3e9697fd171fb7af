import { expect, test } from 'vitest'
import { makePlacePauses, makeTeamPlaces } from '../../../src/jobs/deliveries/teamPlaces.ts'

const takeMany = (places: ReturnType<typeof makeTeamPlaces>, team: string, count: number) =>
  Array.from({ length: count }, (_, index) => places.take(team, `${team}${index}`)).filter(Boolean).length

test('a team alone gets half of the places, and others get their quarter all the same', () => {
  const places = makeTeamPlaces(200)
  expect(takeMany(places, 'busy', 500)).toBe(100)
  expect(takeMany(places, 'second', 500)).toBe(50)
  expect(takeMany(places, 'third', 1)).toBe(1)
  for (let count = 0; count < 100; count += 1) places.release('busy')
  expect(takeMany(places, 'third', 500)).toBe(49)
  places.release('nobody')
  expect(takeMany(places, 'busy', 500)).toBe(50)
})

test('the smallest runner serves a team at a time', () => {
  const places = makeTeamPlaces(1)
  expect(takeMany(places, 'busy', 2)).toBe(1)
  places.release('busy')
  expect(takeMany(places, 'other', 2)).toBe(1)
})

test('subscriptions without a place wait in the line of their team, and each released place is for the first of them', () => {
  const places = makeTeamPlaces(4)
  for (const id of ['a', 'b']) expect(places.take('busy', id)).toBe(true)
  expect(places.isWanted('busy')).toBe(false)
  for (const id of ['c', 'd', 'c']) expect(places.take('busy', id)).toBe(false)
  expect([places.isWanted('busy'), places.isWanted('other')]).toEqual([true, false])
  expect(places.release('busy')).toBe('c')
  expect(places.take('busy', 'd')).toBe(true)
  expect(places.isWanted('busy')).toBe(false)
  expect([places.release('busy'), places.release('busy'), places.release('busy')]).toEqual([undefined, undefined, undefined])
})

test('a line stays when the last place of its team is released', () => {
  const places = makeTeamPlaces(1)
  for (const id of ['a', 'b', 'c']) places.take('busy', id)
  expect(places.release('busy')).toBe('b')
  expect(places.take('busy', 'b')).toBe(true)
  expect([places.isWanted('busy'), places.release('busy')]).toEqual([true, 'c'])
})

test('the pause of a subscription doubles up to 32 seconds, and starts again once it was served', () => {
  const pauses = makePlacePauses()
  expect(Array.from({ length: 7 }, () => pauses.next('hook'))).toEqual([1, 2, 4, 8, 16, 32, 32])
  expect(pauses.next('other')).toBe(1)
  pauses.served('hook')
  expect(pauses.next('hook')).toBe(1)
})
