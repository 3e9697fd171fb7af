import { expect, test } from 'vitest'
import { fieldsAccepting, mediaFields, mediaTypeOfField } from '../../../src/contract/shapes/media.ts'

test('each kind names the fields that take it, and text none', () => {
  expect(fieldsAccepting('image')).toEqual(['imageIds'])
  expect(fieldsAccepting('video')).toEqual(['videoId', 'videoIds'])
  expect(fieldsAccepting('audio')).toEqual(['audioIds'])
  expect(fieldsAccepting('model3d')).toEqual(['model3dIds'])
  expect(fieldsAccepting('text')).toEqual([])
})

test('every field of a request takes one kind', () => {
  for (const field of mediaFields) expect(fieldsAccepting(mediaTypeOfField(field) ?? 'text')).toContain(field)
})
