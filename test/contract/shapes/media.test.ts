import { expect, test } from 'vitest'
import { fieldsAccepting, mediaFields, mediaTypeOfField } from '../../../src/contract/shapes/media.ts'

test('each media type has the fields that accept it, and text has none', () => {
  expect(fieldsAccepting('image')).toEqual(['imageIds'])
  expect(fieldsAccepting('video')).toEqual(['videoId', 'videoIds'])
  expect(fieldsAccepting('audio')).toEqual(['audioIds'])
  expect(fieldsAccepting('model3d')).toEqual(['model3dIds'])
  expect(fieldsAccepting('text')).toEqual([])
})

test('every request field accepts one media type', () => {
  for (const field of mediaFields) expect(fieldsAccepting(mediaTypeOfField(field) ?? 'text')).toContain(field)
})
