import { expect, test } from 'vitest'
import { type Draft, draft, problemsOf, variantDraft } from './drafts.ts'

const prompt = { required: false, maxLength: 100 }
const image = { min: 1, max: 2, field: 'imageIds' as const, mimeTypes: ['image/png' as const] }

function pair(first: Partial<Draft['variants'][number]>, second: Partial<Draft['variants'][number]>): Draft {
  return draft({
    variants: [
      variantDraft('kite.one', { fallback: 'kite.two', ...first }),
      variantDraft('kite.two', { axes: { version: 'two' }, ...second }),
    ],
  })
}

test('a fallback names a variant that takes the same request', async () => {
  expect(await problemsOf({ 'a.json': pair({}, {}) })).toEqual([])
  expect(await problemsOf({ 'a.json': pair({ parameterNames: ['size'] }, {}) })).toEqual([])
})

test.each<[string, Draft, string]>([
  ['that is not there', pair({ fallback: 'kite.six' }, {}), 'names no variant of the family'],
  ['that is the variant itself', pair({ fallback: 'kite.one' }, {}), 'leads back to the variant itself'],
  ['that falls back to it', pair({}, { fallback: 'kite.one' }), 'leads back to the variant itself'],
  ['without one of its parameters', pair({}, { parameterNames: ['size'] }), 'names a variant without the parameter seed'],
  [
    'that needs other media',
    pair({}, { tasks: ['image-to-image', 'text-to-image'], inputs: { prompt, images: image } }),
    'names a variant that takes other images',
  ],
  [
    'that needs a prompt',
    pair({ tasks: ['image-to-image'], inputs: { prompt, images: image } }, {}),
    'names a variant that does not do image-to-image',
  ],
])('a fallback %s is a fault of the file', async (_what, file, reason) => {
  const problems = await problemsOf({ 'a.json': file })
  expect(problems.map(({ path, reason: told }) => `${path}: ${told}`)).toContain(`variants[0].fallback: ${reason}`)
})
