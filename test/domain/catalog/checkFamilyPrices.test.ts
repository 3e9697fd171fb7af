import { expect, test } from 'vitest'
import { type Draft, problemsOf, type VariantDraft, withFirst, withParameters } from './drafts.ts'

const prompt = { required: false, maxLength: 100 }
const image = { min: 1, max: 1, field: 'imageIds' as const, mimeTypes: ['image/png' as const] }
const output = { durationSeconds: { type: 'number', minimum: 1, maximum: 9, default: 2 } }
const perSecond: Partial<VariantDraft> = { prices: [{ unit: 'output_second', credits: 1 }] }

const invalid: [name: string, file: Draft, line: string][] = [
  [
    'a price with too many decimals',
    withFirst({ prices: [{ unit: 'generation', credits: 0.0000001 }] }),
    'variants[0].prices[0].credits: has more than 6 decimals',
  ],
  [
    'a condition on an unknown parameter',
    withFirst({ prices: [{ unit: 'generation', credits: 1, when: { ghost: 1 } }] }),
    'variants[0].prices: depend on ghost, which is not in parameterNames',
  ],
  [
    'an impossible condition',
    withFirst({ prices: [{ unit: 'generation', credits: 1, when: { size: 11 } }] }),
    'variants[0].prices[0].when.size: can never be 11',
  ],
  [
    'a condition on an optional parameter',
    withFirst({ prices: [{ unit: 'generation', credits: 1, when: { seed: 1 } }] }),
    'variants[0].prices: depend on seed, which has no default and is not required',
  ],
  [
    'output seconds without a parameter',
    withFirst(perSecond),
    'variants[0].prices: depend on durationSeconds, which is not in parameterNames',
  ],
  [
    'output seconds that may be zero',
    withParameters({ durationSeconds: { type: 'number', default: 2 } }, perSecond),
    'variants[0].prices: count durationSeconds, which is not a number with a minimum or an enum above 0',
  ],
  [
    'output seconds as text',
    withParameters({ durationSeconds: { type: 'string', enum: ['5s'], default: '5s' } }, perSecond),
    'variants[0].prices: count durationSeconds, which is not a number with a minimum or an enum above 0',
  ],
  [
    'input seconds without an input',
    withFirst({ prices: [{ unit: 'input_second', credits: 1 }] }),
    'variants[0].prices[0].unit: counts seconds of video or audio, which the variant does not require',
  ],
  [
    'characters without a prompt',
    withFirst({
      tasks: ['inpaint'],
      inputs: { prompt, images: { ...image, max: 20, min: 19 } },
      prices: [{ unit: 'thousand_characters', credits: 1 }],
    }),
    'variants[0].prices[0].unit: counts characters of the prompt, which the variant does not require',
  ],
  [
    'too many combinations of conditions',
    withParameters(
      {
        ...Object.fromEntries(
          ['a', 'b', 'c', 'd', 'e'].map((name) => [name, { type: 'integer', enum: [1, 2, 3, 4, 5, 6, 7, 8, 9], default: 1 }]),
        ),
      },
      { prices: [{ unit: 'generation', credits: 1, when: { a: 1, b: 1, c: 1, d: 1, e: 1 } }] },
    ),
    'variants[0].prices: depend on too many combinations of parameters',
  ],
  [
    'prices above the highest ceiling',
    withParameters(
      { size: { type: 'integer', const: 5, default: 5 } },
      {
        prices: [
          { unit: 'generation', credits: 1_000_000 },
          ...Array.from({ length: 1100 }, () => ({ unit: 'generation' as const, credits: 1_000_000 })),
        ],
      },
    ),
    'variants[0].prices: apply to no combination of parameters',
  ],
]

test.each(invalid)('%s is an error with its place', async (_name, file, line) => {
  const problems = await problemsOf({ 'a.json': file })

  expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toContain(line)
})

test('a price can count parameters by the names that the variant declares', async () => {
  const renamed = withParameters(
    { seconds: { type: 'integer', minimum: 3, default: 5 } },
    { ...perSecond, priceParameters: { outputSeconds: 'seconds' } },
  )

  expect(await problemsOf({ 'a.json': renamed })).toEqual([])
  expect(await problemsOf({ 'a.json': withParameters(output, perSecond) })).toEqual([])
})
