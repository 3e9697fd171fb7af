import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { type RefusalCode, refusalTable } from '../../src/contract/refusals/refusals.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'
import { always, refusals } from './operationRefusals.ts'

type Node = Record<string, unknown>
type Media = { schema: unknown; example?: unknown; examples?: Record<string, { value: unknown }> }
type Response = { description: string; headers?: Record<string, Node>; content?: Record<string, Media>; 'x-refusal-codes'?: RefusalCode[] }
type Operation = {
  operationId: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; description: string; schema: Node }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Node>; headers: Record<string, Node> }
  'x-refusal-codes': { code: string; status: number; retryable: boolean }[]
}

const table = endpoints(() => undefined)
const document = describe(table, { publicUrl: 'https://atelier.example', version: '1.2.3' }) as Document
const operations = new Map(
  Object.values(resolved(document.paths) as Document['paths']).flatMap((path) =>
    Object.values(path).map((each) => [each.operationId, each] as const),
  ),
)
const events = Object.values(resolved(document.webhooks) as Document['webhooks']).map(({ post }) => post)

test('an OpenAPI linter reports no problem', async () => {
  expect(await lint(document)).toEqual([])
})

test('the linter reports a broken reference and an invalid example', async () => {
  const broken = structuredClone(document)
  broken.components.schemas['Account'] = { $ref: '#/components/schemas/Nowhere' }
  broken.components.schemas['CancelledGeneration'] = { type: 'string' }
  expect(await lint(broken)).toEqual(expect.arrayContaining(['no-unresolved-refs', 'no-invalid-media-type-examples']))
})

test.for([...operations.values(), ...events])(
  'the examples of $operationId fit their schemas, and name no field beyond them',
  (operation) => {
    const faults = examplesOf(operation).flatMap(({ at, schema, value }) => {
      const validate = validatorOf(schema)
      return validate(value) ? [] : [{ at, errors: validate.errors }]
    })
    expect(faults).toEqual([])
  },
)

test.for([...operations.values()])(
  '$operationId names the one scope that it needs, and describes its parameters and the headers of its answers',
  (operation) => {
    expect(operation.security).toEqual([{ key: [table.find(({ operationId }) => operationId === operation.operationId)?.scope] }])
    for (const { description } of operation.parameters ?? []) expect(description).toMatch(/\w+/)
    for (const response of Object.values(operation.responses)) {
      expect(Object.keys(response.headers ?? {})).toEqual(
        expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
      )
      for (const header of Object.values(response.headers ?? {}))
        expect(header).toMatchObject({ description: expect.stringMatching(/\w+/) })
    }
  },
)

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const validators = new Map<string, ValidateFunction>()

test.for([...operations.values()])('$operationId declares the refusals that the contract gives it, each with an example', (operation) => {
  const declared = Object.values(operation.responses).flatMap((response) => response['x-refusal-codes'] ?? [])
  const shown = Object.values(operation.responses).flatMap(({ 'x-refusal-codes': codes, content }) =>
    codes ? Object.keys(content?.['application/json']?.examples ?? {}) : [],
  )
  expect(declared.toSorted()).toEqual([...always, ...(refusals[operation.operationId] ?? ['no row here'])].toSorted())
  expect(shown).toEqual(declared)
})

test('every refusal is documented under its status', () => {
  const places = [...operations.values()].flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      (response['x-refusal-codes'] ?? []).map((code) => ({ operationId, code, status: Number(status) })),
    ),
  )
  expect(places).toEqual(places.map(({ operationId, code }) => ({ operationId, code, status: refusalTable[code].http })))
})

test('the document has all refusal codes, also codes of no operation', () => {
  const codes = document['x-refusal-codes'].map(({ code, status, retryable }) => [code, { http: status, retryable }])
  expect(Object.fromEntries(codes)).toMatchObject({ not_found: { http: 404 }, method_not_allowed: { http: 405 } })
  expect(codes).toHaveLength(Object.keys(refusalTable).length)
})

const waitingCodes = ['file_not_ready', 'idempotency_in_progress', 'queue_unavailable']

test('retryable responses document Retry-After, and 401 documents WWW-Authenticate', () => {
  const answers = [...operations.values()].flatMap(({ responses }) => Object.entries(responses))
  for (const [status, { headers = {}, 'x-refusal-codes': codes = [] }] of answers) {
    const waits = ['429', '503'].includes(status) || codes.some((code) => waitingCodes.includes(code))
    expect({ codes, waits: 'Retry-After' in headers }).toEqual({ codes, waits })
    expect('WWW-Authenticate' in headers).toBe(status === '401')
  }
})

test('the document has the three webhooks with their signature headers and the shape of a generation', () => {
  expect(Object.keys(document.webhooks)).toEqual(['generation.completed', 'generation.failed', 'generation.cancelled'])
  for (const { parameters = [], requestBody } of events) {
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['X-Service-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']),
    )
    const sent = requestBody?.content['application/json']?.schema as { properties: { data: { properties: { generation: unknown } } } }
    expect(sent.properties.data.properties.generation).toEqual(resolved(document.components.schemas['Generation']))
  }
})

test('response schemas are open, request schemas are closed, and no schema is duplicated', () => {
  const schemas = Object.entries(document.components.schemas)
  const closedOnes = schemas.filter(([, schema]) => schema['additionalProperties'] === false).map(([name]) => name)
  expect(closedOnes.toSorted()).toEqual([
    'BatchRequest',
    'CancelRequest',
    'FileRequest',
    'GenerationCallback',
    'GenerationRequest',
    'KeyChange',
    'KeyRotation',
    'NewKey',
    'NewWebhookSubscription',
    'WebhookSecretRotation',
    'WebhookSubscriptionChange',
  ])
  expect(schemas.map(([name]) => name).filter((name) => name.endsWith('Output'))).toEqual([])
  expect(new Set(schemas.map(([, schema]) => JSON.stringify(schema))).size).toBe(schemas.length)
})

test('the document has the numbers of the limits', () => {
  expect(document.components.schemas['GenerationRequest']).toMatchObject({ properties: { prompt: { maxLength: limits.promptCharacters } } })
  expect(schemaOf('listGenerations', 'limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: limits.historyPageItems })
  expect(schemaOf('getGeneration', 'wait')).toMatchObject({ type: 'integer', minimum: 0 })
  expect(schemaOf('startGeneration', 'Idempotency-Key')).toMatchObject({ minLength: 1, maxLength: limits.idempotencyKeyCharacters })
})

function schemaOf(operationId: string, parameter: string): Node | undefined {
  return operations.get(operationId)?.parameters?.find(({ name }) => name === parameter)?.schema
}

async function lint(candidate: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(candidate), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId }) => ruleId)
}

type Found = { at: string; schema: unknown; value: unknown }

function examplesOf(operation: Operation): Found[] {
  const media = [
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, each]) => [`request ${type}`, each] as const),
    ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, each]) => [`${status} ${type}`, each] as const),
    ),
  ]
  return media.flatMap(([place, { schema, examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ at: `${operation.operationId} ${place} ${name}`, schema, value })),
  )
}

/** Compiled once for each schema, since refusals share theirs. */
function validatorOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(closed(schema))
  const known = validators.get(text) ?? ajv.compile(JSON.parse(text) as Node)
  validators.set(text, known)
  return known
}

/** The document with every reference replaced by what it points at. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved)
  if (typeof node !== 'object' || node === null) return node
  const reference = (node as Node)['$ref']
  if (typeof reference !== 'string') return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value)]))
  const target = reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, step) => (at as Node)[step], document)
  return resolved(target)
}

/** A schema that takes only the fields that it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in inner && inner['type'] === 'object' ? { ...inner, additionalProperties: false } : inner
}
