import { expect, test } from 'vitest'
import { fieldsTaking, mediaFields, typeTakenBy } from '../../src/contract/media.ts'

test('each kind names the fields that take it, and text none', () => {
  expect(fieldsTaking('image')).toEqual(['imageIds'])
  expect(fieldsTaking('video')).toEqual(['videoId', 'videoIds'])
  expect(fieldsTaking('audio')).toEqual(['audioIds'])
  expect(fieldsTaking('model3d')).toEqual(['model3dIds'])
  expect(fieldsTaking('text')).toEqual([])
})

test('every field of a request takes one kind', () => {
  for (const field of mediaFields) expect(fieldsTaking(typeTakenBy(field) ?? 'text')).toContain(field)
})
