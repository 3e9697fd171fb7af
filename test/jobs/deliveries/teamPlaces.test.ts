import { expect, test } from 'vitest'
import { makePlacePauses, makeTeamPlaces } from '../../../src/jobs/deliveries/teamPlaces.ts'

const takeMany = (places: ReturnType<typeof makeTeamPlaces>, team: string, count: number) =>
  Array.from({ length: count }, () => places.take(team)).filter(Boolean).length

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

test('the pause of a subscription doubles up to 32 seconds, and starts again once it was served', () => {
  const pauses = makePlacePauses()
  expect(Array.from({ length: 7 }, () => pauses.next('hook'))).toEqual([1, 2, 4, 8, 16, 32, 32])
  expect(pauses.next('other')).toBe(1)
  pauses.served('hook')
  expect(pauses.next('hook')).toBe(1)
})
