import { expect, test } from 'vitest'
import type { Variant } from '../../../../src/admin-ui/pages/catalog/catalogQueries.ts'
import { type Draft, generationBody } from '../../../../src/admin-ui/pages/catalog/generationBody.ts'

const none = { min: 0, max: 0, mimeTypes: [] }

function aVariant(properties: Record<string, unknown>, inputs: Partial<Variant['inputs']> = {}): Variant {
  return {
    modelId: 'a.variant',
    label: 'A variant',
    tasks: ['text-to-image'],
    axes: {},
    inputs: {
      prompt: { required: true, maxLength: 100 },
      images: { ...none, field: 'imageIds' },
      videos: { ...none, field: 'videoId' },
      audios: { ...none, field: 'audioIds' },
      models3d: { ...none, field: 'model3dIds' },
      ...inputs,
    },
    parameters: { type: 'object', properties },
    creditsFrom: 1,
    prices: [],
    expectedRunSeconds: { typical: 1, slow: 2 },
  }
}

const bodyOf = (variant: Variant, draft: Partial<Draft>) =>
  generationBody({ id: 'a' }, variant, { modelId: variant.modelId, prompt: '', parameters: {}, media: {}, ...draft })

test('an untouched form requests only the variant', () => {
  const variant = aVariant({ width: { type: 'integer', default: 512 }, on: { type: 'boolean', default: true } })
  expect(bodyOf(variant, {})).toEqual({ familyId: 'a', modelId: 'a.variant' })
})

test.each([
  ['a value equal to the default', { type: 'integer', default: 512 }, 512, undefined],
  ['a number', { type: 'integer', default: 512 }, 64, 64],
  ['zero', { type: 'integer' }, 0, 0],
  ['a deleted number', { type: 'integer', default: 512 }, '', undefined],
  ['an incomplete number', { type: 'number' }, '-', undefined],
  ['false', { type: 'boolean', default: true }, false, false],
  ['a text', { type: 'string' }, ' a ', ' a '],
  ['an empty text', { type: 'string' }, '', undefined],
  ['an empty text instead of the default', { type: 'string', default: 'x' }, '', ''],
  ['a choice of any type', { enum: [1, '1'] }, '1', '1'],
  ['JSON', { type: 'array' }, '[1, {"a": null}]', [1, { a: null }]],
  ['null as JSON', { type: ['string', 'null'] }, 'null', null],
  ['invalid JSON', { type: 'array' }, '[1,', undefined],
])('the request represents %s correctly', (_, property, value, sent) => {
  const { parameters } = bodyOf(aVariant({ it: property }), { parameters: { it: value } })
  expect(parameters).toEqual(sent === undefined ? undefined : { it: sent })
})

test('a group is sent with its changed members, and not at all without changes', () => {
  const style = { type: 'object', properties: { name: { enum: ['oil', 'ink'], default: 'oil' }, depth: { type: 'integer' } } }
  expect(bodyOf(aVariant({ style }), { parameters: { style: { name: 'oil' } } }).parameters).toBeUndefined()
  expect(bodyOf(aVariant({ style }), { parameters: { style: { name: 'ink' } } }).parameters).toEqual({ style: { name: 'ink' } })
})

test('parameters that the variant does not have are left out, whatever their name', () => {
  const draft = { parameters: { width: 64, constructor: 1, toString: 2 } }
  expect(bodyOf(aVariant({ toString: { type: 'integer' } }), draft).parameters).toEqual({ toString: 2 })
  expect(bodyOf(aVariant({ constructor: { type: 'integer' } }), {}).parameters).toBeUndefined()
})

test('pasted identifiers in any layout go into the field of the variant', () => {
  const many = { ...none, max: 4, field: 'imageIds' }
  const one = { ...none, max: 1, field: 'videoId' }
  const variant = aVariant({}, { images: many, videos: one })
  expect(bodyOf(variant, { media: { images: ' file_1,\n gen_2 file_3 ', videos: 'file_4\n', audios: 'file_5' } })).toEqual({
    familyId: 'a',
    modelId: 'a.variant',
    imageIds: ['file_1', 'gen_2', 'file_3'],
    videoId: 'file_4',
  })
  expect(bodyOf(variant, { media: { videos: 'file_4 file_5' } })).toMatchObject({ videoId: ['file_4', 'file_5'] })
})

test('a prompt is sent as typed, and left out for a variant without prompts', () => {
  expect(bodyOf(aVariant({}), { prompt: ' a\n' })).toMatchObject({ prompt: ' a\n' })
  const silent = aVariant({}, { prompt: { required: false, maxLength: 0 } })
  expect(bodyOf(silent, { prompt: 'a' })).not.toHaveProperty('prompt')
})
