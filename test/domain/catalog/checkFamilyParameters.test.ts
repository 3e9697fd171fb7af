import { expect, test } from 'vitest'
import { type Draft, draft, problemsOf, withFirst, withParameters } from './drafts.ts'

const faults: [name: string, file: Draft, line: string][] = [
  [
    'a parameter that no variant takes',
    { ...withFirst({}), parameters: withParameters({ unmatched: { type: 'string' } }).parameters },
    'parameters.properties.unmatched: is in the parameterNames of no variant',
  ],
  [
    'a parameter called like a request field',
    withParameters({ imageIds: { type: 'string' } }),
    'parameters.properties.imageIds: has the name of a request field',
  ],
  [
    'a parameter called like an inherited method',
    withParameters({ constructor: { type: 'string' } }),
    'parameters.properties.constructor: has a name that every JavaScript object answers to',
  ],
  [
    'a seed with a default',
    withParameters({ seed: { type: 'integer', default: 4 } }),
    'parameters.properties.seed.default: would make every work alike: an omitted seed stays open',
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
    'parameters.properties.size: is an object that does not say additionalProperties: false',
  ],
  [
    'an open object inside',
    withParameters({ size: { type: 'array', items: { type: 'object' } } }),
    'parameters.properties.size.items: is an object that does not say additionalProperties: false',
  ],
  [
    'an address',
    withParameters({ size: { type: 'string', format: 'uri' } }),
    'parameters.properties.size.format: has no place in a parameter',
  ],
  [
    'embedded bytes',
    withParameters({ size: { type: 'string', contentEncoding: 'base64' } }),
    'parameters.properties.size.contentEncoding: has no place in a parameter',
  ],
  [
    'a reference',
    withParameters({ size: { $ref: 'https://example.com/' } }),
    'parameters.properties.size.$ref: has no place in a parameter',
  ],
  ['a requirement of nothing', withParameters({}, {}, ['ghost']), 'parameters.required: holds ghost, which is no parameter'],
  ['a requirement of the prompt', withParameters({}, {}, ['prompt']), 'parameters.required: holds prompt, which is no parameter'],
  [
    'a name without a schema',
    withFirst({ parameterNames: ['size', 'seed', 'ghost'] }),
    'variants[0].parameterNames: holds ghost, which parameters.properties lacks',
  ],
  ['a name listed twice', withFirst({ parameterNames: ['size', 'seed', 'size'] }), 'variants[0].parameterNames: holds size twice'],
  [
    'the prompt as a parameter',
    withFirst({ parameterNames: ['size', 'seed', 'prompt'] }),
    'variants[0].parameterNames: holds prompt, which stands at the top level of a request',
  ],
  [
    'a prompt limit that is not told',
    { ...withParameters({}), parameters: { ...draft().parameters, properties: { size: { type: 'integer' }, seed: { type: 'integer' } } } },
    'parameters.properties.prompt: is missing although variants declare a prompt limit of 100',
  ],
  [
    'a prompt limit that is told wrongly',
    withParameters({ prompt: { type: 'string', maxLength: 99, description: 'At most 100.' } }),
    'parameters.properties.prompt.maxLength: is not 100, the longest prompt that a variant takes',
  ],
  [
    'a prompt limit without words',
    withParameters({ prompt: { type: 'string', maxLength: 100 } }),
    'parameters.properties.prompt.description: does not name the limit of 100 characters',
  ],
]

test.each(faults)('%s is a fault, told with its place', async (_name, file, line) => {
  const problems = await problemsOf({ 'a.json': file })

  expect(problems.map(({ path, reason }) => `${path}: ${reason}`)).toContain(line)
})
