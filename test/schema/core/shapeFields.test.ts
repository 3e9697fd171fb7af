import { isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { moment } from '../../../src/contract/shapes/credits.ts'
import { estimate } from '../../../src/contract/shapes/estimate.ts'
import { family } from '../../../src/contract/shapes/family.ts'
import { file } from '../../../src/contract/shapes/file.ts'
import { generation } from '../../../src/contract/shapes/generation.ts'
import { generationRequest } from '../../../src/contract/shapes/generationRequest.ts'
import { cancelledGeneration } from '../../../src/contract/shapes/startedGeneration.ts'
import { outputFields } from '../../../src/schema/core/shapeFields.ts'
import { schema } from '../../../src/schema/schema.ts'

const expose = (_name: string, options: object) => options

test.each([
  ['text', z.string(), { type: 'String', nullable: false }],
  ['a text that may be null', z.string().nullable(), { type: 'String', nullable: true }],
  ['a whole number that may be absent', z.int().optional(), { type: 'Int', nullable: true }],
  ['a number with a description', z.number().meta({ description: 'Half.' }), { type: 'Float', nullable: false, description: 'Half.' }],
  [
    'a description inside a wrapper',
    z.boolean().meta({ description: 'On.' }).optional(),
    { type: 'Boolean', nullable: true, description: 'On.' },
  ],
  ['a named shape, which describes a type', moment, { type: 'DateTime', nullable: false }],
  ['a list', z.array(z.string()), { type: ['String'], nullable: false }],
  ['an open object', z.record(z.string(), z.string()), { type: 'JSON', nullable: false }],
  ['an enum', z.enum(['a']), { type: 'String', nullable: false }],
])('%s becomes a field of the same type', (_what, field, expected) => {
  expect(outputFields({ expose }, z.object({ field }))).toEqual({ field: { ...expected } })
})

test('a nested object without a GraphQL type stops the start; options name its type', () => {
  const shape = z.object({ inner: z.object({ a: z.string() }) })
  expect(() => outputFields({ expose }, shape)).toThrow('inner')
  expect(outputFields({ expose }, shape, { inner: { type: 'JSON' } })).toEqual({ inner: { type: 'JSON', nullable: false } })
})

test.each([
  ['Generation', generation],
  ['GenerationResult', generation.shape.result.unwrap()],
  ['GenerationFailure', generation.shape.error.unwrap()],
  ['GenerationInput', generationRequest],
  ['Family', family],
  ['Variant', family.shape.variants.element],
  ['Estimate', estimate],
  ['File', file],
  ['CancelGenerationPayload', cancelledGeneration],
])('the GraphQL type %s has every field of its REST shape', (name, shape) => {
  const type = schema.getType(name)
  const fields = isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []
  expect(fields).toEqual(expect.arrayContaining(Object.keys(shape.shape)))
})
