import fc from 'fast-check'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

const shortText = fc.string({ maxLength: 40, unit: 'grapheme' })

/** Valid values of a JSON Schema, without keywords between fields: filter with a validator for those. `resolve` follows a `$ref`. */
export function valuesOf(schema: Schema, resolve: (reference: string) => Schema): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(resolve(schema.$ref), resolve)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const { type } = schema
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => (each === 'null' ? fc.constant(null) : valuesOf({ ...schema, type: each }, resolve))))
  switch (type) {
    case 'string':
      return textsOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 32) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, resolve), { maxLength: 4 })
    case 'object':
      return objectsOf(schema, resolve)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function textsOf({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' })
  return fc.stringMatching(new RegExp(pattern), { maxLength: 60 }).filter((text) => text.length >= minLength)
}

function objectsOf(schema: Schema, resolve: (reference: string) => Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties = true } = schema
  const named = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valuesOf(each, resolve)]))
  const own = fc.record(named, { requiredKeys: required, noNullPrototype: true })
  if (additionalProperties === false || Object.keys(properties).length > 0) return own
  return fc.dictionary(shortText, valuesOf(additionalProperties === true ? {} : additionalProperties, resolve), { maxKeys: 3 })
}

const rawMark = '@@raw:'

/** JSON text in which strings of {@link raw} are inserted unchanged, for numbers and objects that JSON.stringify cannot write. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"@@raw:((?:[^"\\]|\\.)*)"/g, (_, inner: string) => String(JSON.parse(`"${inner}"`)))
}

function raw(text: string): string {
  return rawMark + text
}

/** Names with a meaning in a language or database, but rarely in our API. */
export const oddNames: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', '0', '-1', 'length', '$ref', 'familyid', 'family_id'),
  fc.constantFrom('\0', '\ud800', '\udc00x', '\u202e', 'x'.repeat(3000), 'userId', 'teamId', 'creditsHeld', 'price'),
  fc.string({ maxLength: 12, unit: 'binary' }),
)

export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\ufeff', '\ufffd', "'; drop table files; --", '%s%n', '../../etc/passwd'),
  fc.constantFrom('x'.repeat(256), 'x'.repeat(20_000), 'x'.repeat(20_001), '😀'.repeat(10_001), 'null', 'true', '0', '1e1', '+5', 'NaN'),
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.string({ maxLength: 30, unit: 'grapheme' }),
)

/** Any JSON value, and some invalid ones. */
export function oddValues(identifiers: string[]): fc.Arbitrary<unknown> {
  const rawValues = [
    '1e400',
    '-1e400',
    '-0',
    '1.0',
    '01',
    'NaN',
    'undefined',
    '9'.repeat(400),
    '1E-999',
    '"\\u0000"',
    '"\\ud800"',
    '"\\x"',
    '',
  ]
  const objects = ['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"a":1,"a":2}', '[,]', '{,}']
  return fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, -1, 0.1, 1e308, 5e-324, 2 ** 53, -(2 ** 31), 2 ** 32, [], {}, [[]], [null], [''], {
      a: 1,
    }),
    fc.constantFrom(...rawValues, ...objects, '['.repeat(40) + ']'.repeat(40), `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`).map(raw),
    oddTexts,
    fc.double(),
    fc.constantFrom<unknown>(
      Array.from({ length: 21 }, () => identifiers[0]),
      Array.from({ length: 5000 }, (_, index) => `file_${index}`),
    ),
    fc.constantFrom(...identifiers),
    fc.constantFrom(...identifiers).map((id) => [id, id]),
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(oddNames, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  )
}
