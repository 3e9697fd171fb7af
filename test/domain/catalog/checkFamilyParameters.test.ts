import { expect, test } from 'vitest'
import { type Draft, draft, problemsOf, withFirst, withParameters } from './drafts.ts'

const invalid: [name: string, file: Draft, line: string][] = [
  [
    'a parameter that no variant takes',
    { ...withFirst({}), parameters: withParameters({ unmatched: { type: 'string' } }).parameters },
    'parameters.properties.unmatched: is in the parameterNames of no variant',
  ],
  [
    'a parameter with the name of a request field',
    withParameters({ imageIds: { type: 'string' } }),
    'parameters.properties.imageIds: has the name of a request field',
  ],
  [
    'a parameter with the name of an inherited method',
    withParameters({ constructor: { type: 'string' } }),
    'parameters.properties.constructor: has the name of a property that every JavaScript object inherits',
  ],
  [
    'a seed with a default',
    withParameters({ seed: { type: 'integer', default: 4 } }),
    'parameters.properties.seed.default: must be absent, so that an omitted seed stays random',
  ],
  [
    'a default that does not fit',
    withParameters({ size: { type: 'integer', maximum: 3, default: 4 } }),
    'parameters.properties.size.default: does not fit its own schema',
  ],
  [
    'a schema keyword that does not exist',
    withParameters({ size: { type: 'integer', biggest: 3 } }),
    'parameters.properties.size: strict mode: unknown keyword: "biggest"',
  ],
  [
    'a keyword of another type',
    withParameters({ size: { type: 'integer', maxLength: 3 } }),
    'parameters.properties.size: strict mode: missing type "string" for keyword "maxLength" at "#/properties/value" (strictTypes)',
  ],
  [
    'an open object',
    withParameters({ size: { type: 'object', properties: {} } }),
    'parameters.properties.size: is an object without additionalProperties: false',
  ],
  [
    'a nested open object',
    withParameters({ size: { type: 'array', items: { type: 'object' } } }),
    'parameters.properties.size.items: is an object without additionalProperties: false',
  ],
  [
    'an address',
    withParameters({ size: { type: 'string', format: 'uri' } }),
    'parameters.properties.size.format: is not allowed in a parameter',
  ],
  [
    'embedded bytes',
    withParameters({ size: { type: 'string', contentEncoding: 'base64' } }),
    'parameters.properties.size.contentEncoding: is not allowed in a parameter',
  ],
  [
    'a reference',
    withParameters({ size: { $ref: 'https://example.com/' } }),
    'parameters.properties.size.$ref: is not allowed in a parameter',
  ],
  ['an unknown required parameter', withParameters({}, {}, ['ghost']), 'parameters.required: has ghost, which is not a parameter'],
  ['the prompt as a required parameter', withParameters({}, {}, ['prompt']), 'parameters.required: has prompt, which is not a parameter'],
  [
    'a name without a schema',
    withFirst({ parameterNames: ['size', 'seed', 'ghost'] }),
    'variants[0].parameterNames: has ghost, which is not in parameters.properties',
  ],
  ['a name listed twice', withFirst({ parameterNames: ['size', 'seed', 'size'] }), 'variants[0].parameterNames: has size twice'],
  [
    'the prompt as a parameter',
    withFirst({ parameterNames: ['size', 'seed', 'prompt'] }),
    'variants[0].parameterNames: has prompt, which is sent at the top level of a request',
  ],
  [
    'a prompt limit that is not in the schema',
    { ...withParameters({}), parameters: { ...draft().parameters, properties: { size: { type: 'integer' }, seed: { type: 'integer' } } } },
    'parameters.properties.prompt: is missing, but variants declare a prompt limit of 100',
  ],
  [
    'a wrong prompt limit in the schema',
    withParameters({ prompt: { type: 'string', maxLength: 99, description: 'At most 100.' } }),
    'parameters.properties.prompt.maxLength: is not 100, the longest prompt limit of a variant',
  ],
  [
    'a prompt limit that is not in the description',
    withParameters({ prompt: { type: 'string', maxLength: 100 } }),
    'parameters.properties.prompt.description: does not contain the limit of 100 characters',
  ],
]

test.each(invalid)('%s is an error with its place', async (_name, file, line) => {
  const problems = await problemsOf({ 'a.json': file })

  expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toContain(line)
})
