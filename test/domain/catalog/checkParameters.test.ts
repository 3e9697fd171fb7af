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

test('omitted parameters get their defaults, also inside lists, and an omitted seed stays absent', () => {
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

test('a parameter that one variant requires is not required by a variant without it', () => {
  expect(checkParameters(family, variantOf(family, 'kite.bare'), {})).toEqual({})
})

const invalid: [what: string, parameters: Record<string, unknown>, issue: object][] = [
  ['missing', {}, { path: ['parameters', 'strength'], code: 'required' }],
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
  ['the exclusive minimum', { strength: 0 }, { path: ['parameters', 'strength'], code: 'too_small' }],
  ['the exclusive maximum', { strength: 1 }, { path: ['parameters', 'strength'], code: 'too_big' }],
  ['not a multiple', { strength: 0.5, size: 3 }, { path: ['parameters', 'size'], code: 'not_allowed' }],
  ['too short', { strength: 0.5, note: 'a' }, { path: ['parameters', 'note'], code: 'too_small' }],
  ['too long', { strength: 0.5, note: 'a'.repeat(41) }, { path: ['parameters', 'note'], code: 'too_long' }],
  ['of another format', { strength: 0.5, code: 'A1' }, { path: ['parameters', 'code'], code: 'bad_format' }],
  ['too many', { strength: 0.5, points: [{ x: 1 }, { x: 2 }, { x: 3 }] }, { path: ['parameters', 'points'], code: 'too_long' }],
  ['a list with a duplicate', { strength: 0.5, points: [{ x: 1 }, { x: 1 }] }, { path: ['parameters', 'points'], code: 'not_allowed' }],
  ['missing inside an object', { strength: 0.5, points: [{}] }, { path: ['parameters', 'points', 0, 'x'], code: 'required' }],
  [
    'unknown inside an object',
    { strength: 0.5, points: [{ x: 1, y: 2 }] },
    { path: ['parameters', 'points', 0, 'y'], code: 'unknown_field' },
  ],
  [
    'a wrong type under an odd name',
    { strength: 0.5, points: [{ x: 1, 'a/b': 2 }] },
    { path: ['parameters', 'points', 0, 'a/b'], code: 'wrong_type' },
  ],
]

test.each(invalid)('a parameter that is %s is refused at its place', (_what, parameters, issue) => {
  expect(issuesOf(parameters)).toEqual([issue])
})

const unknownNames = ['colour', 'prompt', 'imageIds', 'videoId', '__proto__', 'constructor', 'toString', 'extra', '']

test.each(unknownNames)('the name "%s" is unknown to the variant and refused', (name) => {
  const parameters = JSON.parse(`{ "strength": 0.5, ${JSON.stringify(name)}: { "x": 1 } }`)

  expect(issuesOf(parameters)).toEqual([{ path: ['parameters', name], code: 'unknown_field', allowed: Object.keys(own) }])
})

test('a required parameter with an inherited name must be present', async () => {
  const inner = { type: 'object', additionalProperties: false, required: ['constructor'], properties: { constructor: { type: 'string' } } }
  const odd = await familyOf(withParameters({ inner }))

  const refusal = refused(() => checkParameters(odd, variantOf(odd, 'kite.text.one'), { inner: {} }))

  expect(refusal.details).toMatchObject({ issues: [{ path: ['parameters', 'inner', 'constructor'], code: 'required' }] })
})

test('all issues of a request are reported together', () => {
  expect(issuesOf({ size: 11, unmatched: 1 })).toEqual([
    { path: ['parameters', 'unmatched'], code: 'unknown_field', allowed: Object.keys(own) },
    { path: ['parameters', 'strength'], code: 'required' },
    { path: ['parameters', 'size'], code: 'too_big' },
  ])
})

const mediaReferences = [
  'https://example.com/a.png',
  ' http://10.0.0.1/x ',
  'data:image/png;base64,AA',
  'file_01h455vb4pex5vsknk084sn02q',
  'GEN_01h455vb4pex5vsknk084sn02q',
]

test.each(mediaReferences)('a text that is only a media reference is refused: %s', (note) => {
  expect(issuesOf({ strength: 0.5, note })).toEqual([{ path: ['parameters', 'note'], code: 'not_allowed' }])
  expect(issuesOf({ strength: 0.5, points: [{ x: 1, 'a/b': note }] })).toEqual([
    { path: ['parameters', 'points', 0, 'a/b'], code: 'not_allowed' },
  ])
})

test('a text that mentions an address is accepted', () => {
  expect(checkParameters(family, full, { strength: 0.5, note: 'no logo of https://example.com please' })).toMatchObject({
    note: expect.any(String),
  })
})

test('at most 100 issues are reported', () => {
  const flood = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`a${index}`, 1]))
  const points = Array.from({ length: 30_000 }, () => 'x')

  expect(issuesOf(flood)).toHaveLength(100)
  expect(issuesOf({ strength: 0.5, points })).toHaveLength(100)
})

test('any parameters are either validated or refused, and Object.prototype stays unchanged', () => {
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
