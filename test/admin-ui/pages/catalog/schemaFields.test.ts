import { expect, test } from 'vitest'
import { fieldsOf, formatLimits } from '../../../../src/admin-ui/pages/catalog/schemaFields.ts'

const schema = (properties: object, required: string[] = []) => ({ type: 'object', additionalProperties: false, required, properties })
const only = (property: object) => fieldsOf(schema({ it: property }))[0]

test.each([
  [{ type: 'string', enum: ['png', 'jpeg', 'webp'] }, { kind: 'choice', options: ['png', 'jpeg', 'webp'] }, 'png, jpeg or webp'],
  [{ enum: [1, '1', null] }, { kind: 'choice', options: [1, '1', null] }, '1, 1 or null'],
  [{ const: 'fast' }, { kind: 'choice', options: ['fast'] }, 'fast'],
  [{ type: 'boolean' }, { kind: 'switch' }, 'true or false'],
  [
    { type: 'integer', minimum: 64, maximum: 2048 },
    { kind: 'number', integer: true, min: 64, max: 2048, step: 1 },
    'a whole number, 64 to 2,048',
  ],
  [{ type: 'number', minimum: 0.5 }, { kind: 'number', integer: false, min: 0.5 }, 'a number from 0.5'],
  [{ type: 'integer', multipleOf: 8 }, { kind: 'number', integer: true, step: 8 }, 'a whole number'],
  [{ type: 'string', maxLength: 40 }, { kind: 'text', maxLength: 40 }, 'text of up to 40 characters'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, { kind: 'choices', options: ['a', 'b'] }, 'any of a or b'],
  [{ type: 'array', items: { type: 'number' } }, { kind: 'json' }, 'JSON'],
  [{ type: ['string', 'null'] }, { kind: 'json' }, 'JSON'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }, 'JSON'],
  [{}, { kind: 'json' }, 'JSON'],
  ['no schema at all', { kind: 'json' }, 'JSON'],
])('a parameter with the schema %j has the control %j', (property, control, words) => {
  const field = only(property as object)
  expect(field?.control).toEqual(control)
  expect(field && formatLimits(field.control)).toBe(words)
})

test('a group has the fields of its own schema', () => {
  const style = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { enum: ['oil'] } } }
  expect(only(style)?.control).toMatchObject({ kind: 'group', fields: [{ name: 'name', required: true, control: { kind: 'choice' } }] })
})

test('a field is labelled by title or name, and has the default of its parameter', () => {
  const fields = fieldsOf(
    schema({ width: { type: 'integer', title: 'Width', default: 512, description: 'Pixels.' }, seed: { type: 'integer' } }, ['seed']),
  )
  expect(fields).toMatchObject([
    { name: 'width', label: 'Width', standard: 512, description: 'Pixels.', required: false },
    { name: 'seed', label: 'seed', standard: undefined, description: undefined, required: true },
  ])
})

test('a schema without properties has no fields', () => {
  expect(fieldsOf({})).toEqual([])
  expect(fieldsOf({ properties: null })).toEqual([])
})
