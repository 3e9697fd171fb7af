import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf } from '../../../src/domain/catalog/decimal.ts'
import type { Price } from '../../../src/domain/catalog/family.ts'
import { type MeasuredInput, type PricedRequest, type PricedVariant, priceOf } from '../../../src/domain/catalog/priceOf.ts'
import { refused } from './refused.ts'

function variant(...prices: Omit<Price, 'rate'>[]): PricedVariant {
  return {
    modelId: 'kite',
    priceParameters: { outputSeconds: 'durationSeconds', width: 'width', height: 'height' },
    prices: prices.map((price) => {
      const rate = decimalOf(price.credits)
      if (!rate) throw new Error('not a price')
      return { ...price, rate }
    }),
  }
}

function priced(changes: Partial<PricedRequest> = {}): PricedRequest {
  return { parameters: {}, prompt: null, inputs: [], ...changes }
}

function clip(durationSeconds: number | null, id = 'file_1'): MeasuredInput {
  return { id, field: 'videoId', durationSeconds }
}

const sums: [what: string, variant: PricedVariant, priced: PricedRequest, total: number, quantity: number][] = [
  ['one generation', variant({ unit: 'generation', credits: 1.5, when: {} }), priced(), 150, 1],
  ['seconds of output', variant({ unit: 'output_second', credits: 5, when: {} }), priced({ parameters: { durationSeconds: 3 } }), 1500, 3],
  ['measured seconds, not rounded', variant({ unit: 'input_second', credits: 3, when: {} }), priced({ inputs: [clip(2.1)] }), 630, 2.1],
  [
    'a fraction of a hundredth, rounded up',
    variant({ unit: 'input_second', credits: 1, when: {} }),
    priced({ inputs: [clip(2.041667)] }),
    205,
    2.041667,
  ],
  [
    'all timed inputs',
    variant({ unit: 'input_second', credits: 1, when: {} }),
    priced({ inputs: [clip(0.1), clip(0.2), { ...clip(null), field: 'imageIds' }] }),
    30,
    0.3,
  ],
  ['megapixels', variant({ unit: 'megapixel', credits: 0.005, when: {} }), priced({ parameters: { width: 2000, height: 2000 } }), 2, 4],
  [
    'an exact hundredth',
    variant({ unit: 'output_second', credits: 0.005, when: {} }),
    priced({ parameters: { durationSeconds: 2 } }),
    1,
    2,
  ],
  [
    'just above a hundredth',
    variant({ unit: 'output_second', credits: 0.005, when: {} }),
    priced({ parameters: { durationSeconds: 2.000001 } }),
    2,
    2.000001,
  ],
  [
    '1.1 × 3, which doubles get wrong',
    variant({ unit: 'output_second', credits: 1.1, when: {} }),
    priced({ parameters: { durationSeconds: 3 } }),
    330,
    3,
  ],
  ['one character', variant({ unit: 'thousand_characters', credits: 0.5, when: {} }), priced({ prompt: 'a' }), 50, 1],
  ['a thousand characters', variant({ unit: 'thousand_characters', credits: 0.5, when: {} }), priced({ prompt: 'a'.repeat(1000) }), 50, 1],
  ['a thousand and one', variant({ unit: 'thousand_characters', credits: 0.5, when: {} }), priced({ prompt: 'a'.repeat(1001) }), 100, 2],
  [
    'a thousand emoji, each one character',
    variant({ unit: 'thousand_characters', credits: 0.5, when: {} }),
    priced({ prompt: '🪁'.repeat(1000) }),
    50,
    1,
  ],
]

test.each(sums)('the price of %s is exactly as in the file', (_what, ofVariant, request, total, quantity) => {
  const quote = priceOf(ofVariant, request)

  expect(quote.total).toBe(total)
  expect(quote.breakdown).toEqual([{ unit: ofVariant.prices[0]?.unit, quantity, credits: total }])
})

test('all lines that apply are added, and only the sum is rounded', () => {
  const three = variant(
    { unit: 'generation', credits: 0.004, when: {} },
    { unit: 'generation', credits: 0.004, when: { finish: 'gilded' } },
    { unit: 'generation', credits: 0.004, when: { finish: 'gilded', tiled: true } },
    { unit: 'generation', credits: 9, when: { finish: 'plain' } },
  )

  const { total, breakdown } = priceOf(three, priced({ parameters: { finish: 'gilded', tiled: true } }))

  expect(total).toBe(2)
  expect(breakdown.map(({ credits }) => credits)).toEqual([1, 0, 1])
})

test('a condition is met only by the same value of the same type, never by an inherited name', () => {
  const strict = variant({ unit: 'generation', credits: 1, when: { size: 2 } }, { unit: 'generation', credits: 1, when: { toString: 'x' } })

  expect(priceOf(strict, priced({ parameters: { size: 2 } })).total).toBe(100)
  const refusal = refused(() => priceOf(strict, priced({ parameters: { size: '2' } })))
  expect(refusal.code).toBe('price_unavailable')
  expect(refusal.details).toEqual({ modelId: 'kite', missing: ['size', 'toString'] })
})

const unpriced: [what: string, variant: PricedVariant, priced: PricedRequest, missing: string[]][] = [
  ['an absent duration', variant({ unit: 'output_second', credits: 1, when: {} }), priced(), ['durationSeconds']],
  [
    'a duration as text',
    variant({ unit: 'output_second', credits: 1, when: {} }),
    priced({ parameters: { durationSeconds: '3' } }),
    ['durationSeconds'],
  ],
  [
    'a negative duration',
    variant({ unit: 'output_second', credits: 1, when: {} }),
    priced({ parameters: { durationSeconds: -3 } }),
    ['durationSeconds'],
  ],
  ['an absent height', variant({ unit: 'megapixel', credits: 1, when: {} }), priced({ parameters: { width: 2 } }), ['height']],
  ['an absent prompt', variant({ unit: 'thousand_characters', credits: 1, when: {} }), priced({ prompt: '' }), ['prompt']],
  [
    'no timed input',
    variant({ unit: 'input_second', credits: 1, when: {} }),
    priced({ inputs: [{ ...clip(3), field: 'imageIds' }] }),
    ['videoIds', 'audioIds'],
  ],
  [
    'a sum above the highest ceiling',
    variant({ unit: 'output_second', credits: 1, when: {} }),
    priced({ parameters: { durationSeconds: 1_000_000_000.01 } }),
    [],
  ],
]

test.each(unpriced)('%s makes the price unavailable, and the refusal names the missing parts', (_what, ofVariant, request, missing) => {
  const refusal = refused(() => priceOf(ofVariant, request))

  expect(refusal.code).toBe('price_unavailable')
  expect(refusal.details).toEqual({ modelId: 'kite', missing })
})

test.each([null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'an input with the duration %s counts as not measured',
  (durationSeconds) => {
    const perSecond = variant({ unit: 'input_second', credits: 1, when: {} })

    const refusal = refused(() => priceOf(perSecond, priced({ inputs: [clip(4), clip(durationSeconds, 'file_2')] })))

    expect(refusal.code).toBe('file_metadata_missing')
    expect(refusal.retryable).toBe(true)
    expect(refusal.details).toEqual({ fileId: 'file_2', missing: ['durationSeconds'] })
  },
)

test('a price is the exact sum, rounded up once, never negative, and its lines add up to it', () => {
  const millionths = fc.integer({ min: 1, max: 50_000_000 })
  const lines = fc.array(
    fc.record({ unit: fc.constantFrom('generation', 'output_second', 'input_second', 'megapixel'), rate: millionths }),
    { minLength: 1, maxLength: 6 },
  )
  const side = fc.integer({ min: 1, max: 8192 })
  const milliseconds = fc.integer({ min: 1, max: 600_000 })

  fc.assert(
    fc.property(
      lines,
      side,
      side,
      milliseconds,
      fc.array(milliseconds, { minLength: 1, maxLength: 4 }),
      (drafts, width, height, output, inputs) => {
        const ofVariant = variant(...drafts.map(({ unit, rate }) => ({ unit, credits: rate / 1_000_000, when: {} })))
        const parameters = { width, height, durationSeconds: output / 1000 }

        const { total, breakdown } = priceOf(ofVariant, { parameters, prompt: null, inputs: inputs.map((each) => clip(each / 1000)) })

        // Computes the same sum with big integers, in billionths of a thousandth.
        const perUnit: Record<string, number> = {
          generation: 1_000_000,
          output_second: output * 1000,
          megapixel: width * height,
          input_second: inputs.reduce((sum, each) => sum + each, 0) * 1000,
        }
        const exact = drafts.reduce((sum, { unit, rate }) => sum + BigInt(rate) * BigInt(perUnit[unit] ?? 0), 0n)
        const hundredth = 10n ** 10n
        expect(BigInt(total)).toBe((exact + hundredth - 1n) / hundredth)
        expect(breakdown.reduce((sum, { credits }) => sum + credits, 0)).toBe(total)
        expect(breakdown.every(({ credits, quantity }) => credits >= 0 && quantity > 0)).toBe(true)
      },
    ),
    { numRuns: 1000, seed: 20_261_120 },
  )
})

test('any finite non-negative double is read as the decimal that JSON prints', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
      const decimal = decimalOf(value)
      expect(decimal && Number(`${decimal.digits}e-${decimal.scale}`)).toBe(Math.abs(value))
    }),
    { numRuns: 1000, seed: 20_261_120 },
  )
  expect(decimalOf(1e-7)).toEqual({ digits: 1n, scale: 7 })
  expect(decimalOf(1e21)).toEqual({ digits: 10n ** 21n, scale: 0 })
  expect(decimalOf(-1)).toBeUndefined()
})
