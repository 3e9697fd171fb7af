import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'

type Node = Record<string, unknown>
type Document = {
  paths: Record<string, Record<string, Node>>
  components: Record<'schemas' | 'responses' | 'examples' | 'parameters' | 'headers', Record<string, Node>>
}

const table = endpoints(() => undefined)
const document = describe(table, { publicUrl: 'https://atelier.example', version: '1.2.3' }) as Document
const { components } = document

/** Each schema with where it stands, those inside it included. */
function* within(schema: unknown, path: string): Generator<[string, Node]> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield [path, schema as Node]
  for (const [name, inner] of Object.entries(schema)) {
    if (!['examples', 'dependentSchemas', 'not'].includes(name)) yield* within(inner, `${path}/${name}`)
  }
}

const schemas = Object.entries(components.schemas)
const inside = schemas.flatMap(([name, schema]) => [...within(schema, name)].slice(1))

test('the document is small, and so is every operation', () => {
  expect(JSON.stringify(document).length).toBeLessThan(205_000)
  const heavy = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => (JSON.stringify(operation).length < 14_000 ? [] : [`${method} ${path}`])),
  )
  expect(heavy).toEqual([])
})

test('every object and every enum has a name for code generators', () => {
  const nameless = inside.filter(([, schema]) => 'enum' in schema || (schema['type'] === 'object' && 'properties' in schema))
  expect(nameless.map(([path]) => path)).toEqual([])
})

test('unions have named or plain types, and a nullable plain type has null in its type list', () => {
  const choices = inside.flatMap(([path, schema]) => {
    const options = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Node[] | undefined
    return options ? [[path, options] as const] : []
  })
  const traps = choices.filter(([, options]) => {
    const named = options.filter((each) => '$ref' in each)
    const plain = options.filter((each) => typeof each['type'] === 'string')
    const isNullable = plain.some(({ type }) => type === 'null')
    return named.length + plain.length < options.length || (isNullable && named.length === 0)
  })
  expect(choices.length).toBeGreaterThan(0)
  expect(traps).toEqual([])
  const beside = [...schemas, ...inside].filter(([, schema]) => 'properties' in schema && ('oneOf' in schema || 'anyOf' in schema))
  expect(beside.map(([path]) => path)).toEqual([])
})

test('shared refusals and examples are described once, and each code has one example', () => {
  const inline = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.values(responses as Record<string, { 'x-refusal-codes'?: string[] }>).flatMap(({ 'x-refusal-codes': codes }) => codes ?? []),
    ),
  )
  const single = Object.values(components.responses).flatMap(({ 'x-refusal-codes': codes = [] }) => codes as string[])
  const examples = Object.keys(components.examples).filter((name) => !name.includes('.'))
  expect(examples.toSorted()).toEqual([...new Set([...inline, ...single])].toSorted())
  expect(components.examples).toHaveProperty(['getGeneration.ready'])
  const repeated = Object.values(components.responses).map((response) => JSON.stringify(response))
  expect(new Set(repeated).size).toBe(repeated.length)
})

test('path and header parameters are described once', () => {
  const inline = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      (parameters as Node[]).filter(({ $ref, in: place }) => $ref === undefined && place !== 'query'),
    ),
  )
  expect(inline).toEqual([])
  expect(components.parameters).toMatchObject({ FamilyId: { in: 'path' }, IdempotencyKey: { in: 'header' } })
})

test.for<[boolean, object]>([
  [true, { url: 'https://media.example/a.png' }],
  [true, { base64: 'AAAA', mimeType: 'image/png' }],
  [false, { url: 'https://media.example/a.png', base64: 'AAAA' }],
  [false, { mimeType: 'image/png' }],
  [false, {}],
])('the schema permits exactly one way to send a file: %s for %j', ([fits, body]) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  expect(ajv.validate(components.schemas['FileRequest'] ?? false, body)).toBe(fits)
})
