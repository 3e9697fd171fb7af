import { expect, test } from 'vitest'
import type { Draft, VariantDraft } from './drafts.ts'
import { familyOf, withParameters } from './drafts.ts'

type Prices = VariantDraft['prices']
type Properties = Draft['parameters']['properties']

const finish = { type: 'string', enum: ['plain', 'gilded', 'raw'], default: 'gilded' }
const side = { type: 'integer', minimum: 500, maximum: 4000, default: 1000 }

const cases: [what: string, properties: Properties, prices: Prices, hundredths: number][] = [
  ['the one price', {}, [{ unit: 'generation', credits: 2.5 }], 250],
  [
    'the cheapest of exclusive conditions',
    { finish },
    ['plain', 'gilded', 'raw'].map((value, index) => ({ unit: 'generation', credits: [5, 3, 4][index] ?? 0, when: { finish: value } })),
    300,
  ],
  [
    'the price without optional surcharges',
    { tiled: { type: 'boolean', default: true } },
    [
      { unit: 'generation', credits: 1 },
      { unit: 'generation', credits: 9, when: { tiled: true } },
    ],
    100,
  ],
  ['the minimum width and height', { width: side, height: side }, [{ unit: 'megapixel', credits: 4 }], 100],
  [
    'the minimum duration, not the default',
    { durationSeconds: { type: 'number', minimum: 0.5, default: 5 } },
    [{ unit: 'output_second', credits: 2 }],
    100,
  ],
  [
    'the minimum duration that is a valid multiple',
    { durationSeconds: { type: 'integer', minimum: 5, multipleOf: 4, default: 12 } },
    [{ unit: 'output_second', credits: 1 }],
    800,
  ],
  [
    'the shortest duration of an enum',
    { durationSeconds: { type: 'integer', enum: [10, 5, 20], default: 10 } },
    [{ unit: 'output_second', credits: 1 }],
    500,
  ],
  [
    'a condition on a number',
    { size: { type: 'integer', default: 4 } },
    [
      { unit: 'generation', credits: 3, when: { size: 4 } },
      { unit: 'generation', credits: 2, when: { size: 9 } },
    ],
    200,
  ],
  ['a thousand characters', {}, [{ unit: 'thousand_characters', credits: 0.125 }], 13],
]

test.each(cases)('the price of a variant begins at %s', async (_what, properties, prices, hundredths) => {
  const family = await familyOf(withParameters(properties, { prices }))

  expect(family.variants[0]?.creditsFrom).toBe(hundredths)
})
