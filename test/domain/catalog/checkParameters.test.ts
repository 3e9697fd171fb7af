import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Issue, Refusal } from '../../../src/contract/refusals/refusals.ts'
import { checkParameters } from '../../../src/domain/catalog/checkParameters.ts'
import type { Family } from '../../../src/domain/catalog/family.ts'
import { draft, familyOf, variantDraft, variantOf, withParameters } from './drafts.ts'
import { refused } from './refused.ts'

const properties = {
  prompt: { type: 'string', maxLength: 100, description: 'At most 100 characters.' },
  size: { type: 'integer', minimum: 2, maximum: 10, multipleOf: 2, default: 4 },
  strength: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  style: { type: 'string', enum: ['plain', 'bold'], default: 'plain' },
  tiled: { type: 'boolean', default: false },
  note: { type: 'string', minLength: 2, maxLength: 40 },
  code: { type: 'string', pattern: '^[a-z]+$' },
  points: {
    type: 'array',
    maxItems: 2,
    uniqueItems: true,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['x'],
      properties: { x: { type: 'number' }, 'a/b': { type: 'string' }, weight: { type: 'number', default: 1 } },
    },
  },
  seed: { type: 'integer', minimum: 0 },
  extra: { type: 'string', const: 'only' },
}
const { prompt: _, extra: __, ...own } = properties
const family: Family = await familyOf(
  draft({
    parameters: { type: 'object', additionalProperties: false, required: ['strength'], properties },
    variants: [
      variantDraft('kite.full', { parameterNames: Object.keys(own) }),
      variantDraft('kite.bare', { axes: { version: 'two' }, parameterNames: ['extra'] }),
    ],
  }),
)
const full = variantOf(family, 'kite.full')

function issuesOf(parameters: Record<string, unknown>): unknown {
  const refusal = refused(() => checkParameters(family, full, parameters))
  expect(refusal.code).toBe('invalid_parameters')
  expect(refusal.details?.['modelId']).toBe('kite.full')
  return (refusal.details?.['issues'] as Issue[] | undefined)?.map(({ path, code, allowed }) =>
    allowed === undefined ? { path, code } : { path, code, allowed },
  )
}

test('omitted parameters take their defaults, inside lists too, and an omitted seed stays open', () => {
  const given = { strength: 0.5, points: [{ x: 1 }] }

  expect(checkParameters(family, full, given)).toEqual({
    strength: 0.5,
    size: 4,
    style: 'plain',
    tiled: false,
    points: [{ x: 1, weight: 1 }],
  })
  expect(given).toEqual({ strength: 0.5, points: [{ x: 1 }] })
})

test('what is required of one variant is not required of another that does not take it', () => {
  expect(checkParameters(family, variantOf(family, 'kite.bare'), {})).toEqual({})
})

const faults: [what: string, parameters: Record<string, unknown>, issue: object][] = [
  ['a missing one', {}, { path: ['parameters', 'strength'], code: 'required' }],
  ['a number as text', { strength: 0.5, size: '4' }, { path: ['parameters', 'size'], code: 'wrong_type' }],
  ['a fraction', { strength: 0.5, size: 4.5 }, { path: ['parameters', 'size'], code: 'wrong_type' }],
  ['null', { strength: null }, { path: ['parameters', 'strength'], code: 'wrong_type' }],
  ['infinity, as 1e400 reads', { strength: Number.POSITIVE_INFINITY }, { path: ['parameters', 'strength'], code: 'wrong_type' }],
  ['a boolean as text', { strength: 0.5, tiled: 'true' }, { path: ['parameters', 'tiled'], code: 'wrong_type' }],
  ['a number for a choice', { strength: 0.5, style: 1 }, { path: ['parameters', 'style'], code: 'wrong_type' }],
  [
    'an unknown choice',
    { strength: 0.5, style: 'loud' },
    { path: ['parameters', 'style'], code: 'not_allowed', allowed: ['plain', 'bold'] },
  ],
  ['too small', { strength: 0.5, size: 0 }, { path: ['parameters', 'size'], code: 'too_small' }],
  ['too big', { strength: 0.5, size: 12 }, { path: ['parameters', 'size'], code: 'too_big' }],
  ['the excluded least', { strength: 0 }, { path: ['parameters', 'strength'], code: 'too_small' }],
  ['the excluded greatest', { strength: 1 }, { path: ['parameters', 'strength'], code: 'too_big' }],
  ['off the grid', { strength: 0.5, size: 3 }, { path: ['parameters', 'size'], code: 'not_allowed' }],
  ['too short', { strength: 0.5, note: 'a' }, { path: ['parameters', 'note'], code: 'too_small' }],
  ['too long', { strength: 0.5, note: 'a'.repeat(41) }, { path: ['parameters', 'note'], code: 'too_long' }],
  ['of another form', { strength: 0.5, code: 'A1' }, { path: ['parameters', 'code'], code: 'bad_format' }],
  ['too many', { strength: 0.5, points: [{ x: 1 }, { x: 2 }, { x: 3 }] }, { path: ['parameters', 'points'], code: 'too_long' }],
  ['the same twice', { strength: 0.5, points: [{ x: 1 }, { x: 1 }] }, { path: ['parameters', 'points'], code: 'not_allowed' }],
  ['a missing one inside', { strength: 0.5, points: [{}] }, { path: ['parameters', 'points', 0, 'x'], code: 'required' }],
  ['a stranger inside', { strength: 0.5, points: [{ x: 1, y: 2 }] }, { path: ['parameters', 'points', 0, 'y'], code: 'unknown_field' }],
  [
    'a wrong type under an odd name',
    { strength: 0.5, points: [{ x: 1, 'a/b': 2 }] },
    { path: ['parameters', 'points', 0, 'a/b'], code: 'wrong_type' },
  ],
]

test.each(faults)('a parameter that is %s is refused at its place', (_what, parameters, issue) => {
  expect(issuesOf(parameters)).toEqual([issue])
})

const strangers = ['colour', 'prompt', 'imageIds', 'videoId', '__proto__', 'constructor', 'toString', 'extra', '']

test.each(strangers)('the name "%s" is unknown to the variant and refused', (name) => {
  const parameters = JSON.parse(`{ "strength": 0.5, ${JSON.stringify(name)}: { "x": 1 } }`)

  expect(issuesOf(parameters)).toEqual([{ path: ['parameters', name], code: 'unknown_field', allowed: Object.keys(own) }])
})

test('a required name that objects inherit must be given all the same', async () => {
  const inner = { type: 'object', additionalProperties: false, required: ['constructor'], properties: { constructor: { type: 'string' } } }
  const odd = await familyOf(withParameters({ inner }))

  const refusal = refused(() => checkParameters(odd, variantOf(odd, 'kite.text.one'), { inner: {} }))

  expect(refusal.details).toMatchObject({ issues: [{ path: ['parameters', 'inner', 'constructor'], code: 'required' }] })
})

test('all faults of a request are told at once', () => {
  expect(issuesOf({ size: 11, unmatched: 1 })).toEqual([
    { path: ['parameters', 'unmatched'], code: 'unknown_field', allowed: Object.keys(own) },
    { path: ['parameters', 'strength'], code: 'required' },
    { path: ['parameters', 'size'], code: 'too_big' },
  ])
})

const disguises = [
  'https://example.com/a.png',
  ' http://10.0.0.1/x ',
  'data:image/png;base64,AA',
  'file_01h455vb4pex5vsknk084sn02q',
  'GEN_01h455vb4pex5vsknk084sn02q',
]

test.each(disguises)('media in the disguise of a text are refused: %s', (note) => {
  expect(issuesOf({ strength: 0.5, note })).toEqual([{ path: ['parameters', 'note'], code: 'not_allowed' }])
  expect(issuesOf({ strength: 0.5, points: [{ x: 1, 'a/b': note }] })).toEqual([
    { path: ['parameters', 'points', 0, 'a/b'], code: 'not_allowed' },
  ])
})

test('a text that only speaks of an address passes', () => {
  expect(checkParameters(family, full, { strength: 0.5, note: 'no logo of https://example.com please' })).toMatchObject({
    note: expect.any(String),
  })
})

test('a flood of faults is answered with a bounded list', () => {
  const flood = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`a${index}`, 1]))
  const points = Array.from({ length: 30_000 }, () => 'x')

  expect(issuesOf(flood)).toHaveLength(100)
  expect(issuesOf({ strength: 0.5, points })).toHaveLength(100)
})

test('whatever stands under parameters, the answer is clean parameters or a refusal, and Object.prototype stays as it was', () => {
  const keys = fc.oneof(fc.constantFrom(...Object.keys(properties), '__proto__', 'constructor'), fc.string())
  const anything = fc.dictionary(keys, fc.oneof(fc.jsonValue(), fc.integer({ min: 0, max: 12 }), fc.double(), fc.boolean()), { maxKeys: 4 })

  fc.assert(
    fc.property(anything, (parameters) => {
      const before = JSON.stringify(parameters)
      try {
        const checked = checkParameters(family, full, parameters)
        expect(Object.keys(checked).every((name) => Object.hasOwn(own, name))).toBe(true)
        expect(checkParameters(family, full, checked)).toEqual(checked)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'invalid_parameters') throw error
      }
      expect(JSON.stringify(parameters)).toBe(before)
    }),
    { numRuns: 1000, seed: 20_261_120 },
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})
