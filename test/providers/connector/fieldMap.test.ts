import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkFieldMap, type FieldMap, fieldMap, mapFields } from '../../../src/providers/connector/fieldMap.ts'
import type { DeclaredModel } from '../../../src/providers/connector/vendor.ts'
import { input, job } from '../sandbox/sandboxJobs.ts'

const read = (map: z.input<z.ZodObject<typeof fieldMap>>): FieldMap => z.strictObject(fieldMap).parse(map)

const map = read({
  prompt: 'text',
  parameters: { width: 'image_size.width', style: { place: 'style', values: { soft: 'SOFT_V2', '3': 'three' } } },
  axes: { quality: { place: 'steps', values: { fast: 4, fine: 28 } } },
  inputs: { imageIds: { list: 'image_urls' }, videoIds: ['first', 'second'] },
  fixed: { num_images: 1, 'image_size.unit': 'px' },
})

const none = { min: 0, max: 0 }
const model: DeclaredModel = {
  modelId: 'kite',
  outputType: 'image',
  tasks: ['image-to-image'],
  axes: { quality: 'fast' },
  parameterNames: ['width', 'style'],
  inputs: {
    prompt: { required: true, maxLength: 100 },
    images: { min: 0, max: 4 },
    videos: { min: 0, max: 2 },
    audios: none,
    models3d: none,
  },
  provider: { settings: {} },
}

test('each value of a request gets the place and the name that the vendor uses', () => {
  const spec = job({
    prompt: 'a kite',
    axes: { quality: 'fine' },
    parameters: { width: 768, style: 'soft' },
    inputs: [input(Buffer.of(1)), input(Buffer.of(2), { field: 'videoIds' }), input(Buffer.of(3))],
  })

  expect(mapFields(map, spec, ['image one', 'video', 'image two'])).toEqual({
    text: 'a kite',
    steps: 28,
    style: 'SOFT_V2',
    image_size: { width: 768, unit: 'px' },
    image_urls: ['image one', 'image two'],
    first: 'video',
    num_images: 1,
  })
})

test('a number is converted to the units of the vendor; other values are not', () => {
  const seconds = read({ prompt: 'text', parameters: { durationSeconds: { place: 'length_ms', times: 1000 } } })
  expect(mapFields(seconds, job({ prompt: null, parameters: { durationSeconds: 2.5 } }), [])).toEqual({ length_ms: 2500 })
  expect(mapFields(seconds, job({ prompt: null, parameters: { durationSeconds: 'auto' } }), [])).toEqual({ length_ms: 'auto' })
})

test('an absent value has no field, and two requests share no objects', () => {
  const spec = job({ prompt: null, parameters: {}, axes: {} })

  const fields = mapFields(map, spec, [])

  expect(fields).toEqual({ image_size: { unit: 'px' }, num_images: 1 })
  fields['num_images'] = 9
  expect(mapFields(map, spec, [])).toEqual({ image_size: { unit: 'px' }, num_images: 1 })
})

test('a value without an entry in the map is sent unchanged, also if it is called like a property of objects', () => {
  expect(mapFields(map, job({ prompt: null, parameters: { style: 'toString' } }), [])).toMatchObject({ style: 'toString' })
  expect(mapFields(map, job({ prompt: null, parameters: { style: 3 } }), [])).toMatchObject({ style: 'three' })
})

test('a map that fits its model has no problems', () => {
  expect(checkFieldMap(map, model)).toEqual([])
})

test.each<[string, Partial<FieldMap>, string]>([
  ['a prompt without a place', { prompt: undefined }, 'prompt: must say where the prompt goes'],
  ['a parameter without a place', { parameters: { width: 'w' } }, 'parameters: must say where style goes'],
  ['a parameter that is none', { parameters: { ...map.parameters, depth: 'd' } }, 'parameters.depth: is not among'],
  ['an axis that is none', { axes: { speed: 's' } }, 'axes.speed: is no axis'],
  ['inputs without a place', { inputs: { imageIds: { list: 'image_urls' } } }, 'inputs.videoIds: must say where'],
  ['too little room', { inputs: { ...map.inputs, imageIds: ['one', 'two'] } }, 'inputs.imageIds: has room for 2 of 4'],
  ['inputs that are not taken', { inputs: { ...map.inputs, audioIds: 'sound' } }, 'inputs.audioIds: is a place for inputs'],
  ['one place for two', { fixed: { text: 'x' } }, ': name the place text twice'],
])('%s is reported at the start', (_fault, change, expected) => {
  const lines = checkFieldMap({ ...map, ...change }, model).map(({ path, reason }) => `${path}: ${reason}`)
  expect(lines).toEqual([expect.stringContaining(expected)])
})

test('each request gets its own copy of a list in the fixed fields', () => {
  const own = read({ prompt: 'text', fixed: { extra: { list: [1] } }, inputs: {} })
  const first = mapFields(own, job(), []) as { extra: { list: number[] } }
  first.extra.list.push(2)
  expect(mapFields(own, job(), [])).toMatchObject({ extra: { list: [1] } })
})
