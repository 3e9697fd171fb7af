import { expect, test } from 'vitest'
import { nearestName } from '../../../src/contract/refusals/nearestName.ts'

const fields = ['familyId', 'prompt', 'axes', 'modelId', 'parameters', 'imageIds', 'videoId', 'videoIds', 'audioIds', 'maxCredits']

test.each([
  ['in other letter case', 'FAMILYID', 'familyId'],
  ['with a letter too many', 'familyIdd', 'familyId'],
  ['with a letter too few', 'familId', 'familyId'],
  ['with another letter', 'familyIt', 'familyId'],
  ['with two letters that changed places', 'axse', 'axes'],
  ['as other conventions write it', 'max_credits', 'maxCredits'],
  ['in the singular', 'imageId', 'imageIds'],
  ['begun and not ended', 'model', 'modelId'],
  ['without its first word', 'credits', 'maxCredits'],
])('a name %s is recognised', (_what, sent, meant) => {
  expect(nearestName(sent, fields)).toBe(meant)
})

test.each(['seed', 'width', 'x', '', 'image', 'text', '__proto__', 'constructor'])('%j is near to nothing', (sent) => {
  expect(nearestName(sent, fields)).toBeUndefined()
})

test('of several nearest names the first is returned', () => {
  expect(nearestName('videoIx', fields)).toBe('videoId')
  expect(nearestName('videoids', fields)).toBe('videoIds')
})

test('values that are not strings are ignored', () => {
  expect(nearestName(7, ['7'])).toBeUndefined()
  expect(nearestName('tru', [true, null, 1, 'true'])).toBe('true')
})

test('a long name is not compared', () => {
  const hostile = 'familyId'.repeat(40_000)
  const begun = performance.now()
  for (let times = 0; times < 100; times += 1) expect(nearestName(hostile, [...fields, hostile])).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(5_000)
})
