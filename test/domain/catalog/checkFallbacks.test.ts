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

test('a fallback to a variant that accepts the same requests is valid', async () => {
  expect(await problemsOf({ 'a.json': pair({}, {}) })).toEqual([])
  expect(await problemsOf({ 'a.json': pair({ parameterNames: ['size'] }, {}) })).toEqual([])
})

test.each<[string, Draft, string]>([
  ['to an unknown variant', pair({ fallback: 'kite.six' }, {}), 'names no variant of the family'],
  ['to the variant itself', pair({ fallback: 'kite.one' }, {}), 'forms a cycle'],
  ['to a variant that falls back to it', pair({}, { fallback: 'kite.one' }), 'forms a cycle'],
  ['to a variant without one of its parameters', pair({}, { parameterNames: ['size'] }), 'names a variant without the parameter seed'],
  [
    'to a variant that needs other media',
    pair({}, { tasks: ['image-to-image', 'text-to-image'], inputs: { prompt, images: image } }),
    'names a variant that does not take the same images',
  ],
  [
    'to a variant that needs a prompt',
    pair({ tasks: ['image-to-image'], inputs: { prompt, images: image } }, {}),
    'names a variant without the task image-to-image',
  ],
])('a fallback %s is an error', async (_what, file, reason) => {
  const problems = await problemsOf({ 'a.json': file })
  expect(problems.map(({ path, reason: told }) => `${path}: ${told}`)).toContain(`variants[0].fallback: ${reason}`)
})
