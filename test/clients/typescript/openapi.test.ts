import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Atelier, type Operations } from '../../../clients/typescript/src/index.ts'
import { clientTypes, type TypedDocument } from '../../../scripts/generate/clientTypes.ts'
import { endpoints } from '../../../src/rest/endpoints.ts'
import { describe } from '../../../src/rest/openapi.ts'

const table = endpoints(() => undefined)
const document = describe(table, { publicUrl: 'https://atelier.example', version: '1.2.3' }) as TypedDocument

test('the committed types match the document; npm run generate:client updates them', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../clients/typescript/src/openapi.ts'), 'utf8')
  expect(committed).toBe(clientTypes(document))
})

/** The client method that calls each operation. A new operation needs a row and a method. */
const methods: Record<keyof Operations, keyof Atelier> = {
  listFamilies: 'listFamilies',
  getFamily: 'getFamily',
  uploadFile: 'uploadFile',
  listFiles: 'listFiles',
  getFile: 'getFile',
  deleteFile: 'deleteFile',
  estimateGeneration: 'estimate',
  startGeneration: 'start',
  startBatch: 'startBatch',
  getGeneration: 'getGeneration',
  followGeneration: 'events',
  listGenerations: 'listGenerations',
  cancelGeneration: 'cancel',
  deleteResult: 'deleteResult',
  getAccount: 'getAccount',
  getUsage: 'usage',
  listKeys: 'listKeys',
  issueKey: 'issueKey',
  getKey: 'getKey',
  updateKey: 'updateKey',
  revokeKey: 'revokeKey',
  rotateKey: 'rotateKey',
  listWebhooks: 'listWebhooks',
  createWebhook: 'createWebhook',
  getWebhook: 'getWebhook',
  updateWebhook: 'updateWebhook',
  deleteWebhook: 'deleteWebhook',
  rotateWebhookSecret: 'rotateWebhookSecret',
  sendTestEvent: 'sendTestEvent',
  listDeliveries: 'listDeliveries',
  listTeamDeliveries: 'listTeamDeliveries',
  getDelivery: 'getDelivery',
  redeliver: 'redeliver',
  getCallbackSecret: 'getCallbackSecret',
  rotateCallbackSecret: 'rotateCallbackSecret',
  getDescription: 'getDescription',
}

const anEnd = 'id: 1\nevent: generation\ndata: {"generationId":"a/b","state":"ready","finishedAt":"2026-11-20T12:00:00.000Z"}\n\n'

test('every operation of the document has a client method that calls it', async () => {
  const asked: string[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${String(url).slice('http://service/api/v1'.length)}`)
    if (String(url).endsWith('/events')) return new Response(anEnd, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json({})
  }
  const client = new Atelier({ baseUrl: 'http://service/', key: 'atl_key', fetch })
  const call = client as unknown as Record<string, (argument: unknown) => Promise<unknown>>
  for (const { operationId, path } of table) {
    const argument = operationId === 'uploadFile' ? { url: 'https://media.example/a.png' } : path.includes('{id}') ? 'a/b' : {}
    const called = call[methods[operationId as keyof Operations]]?.(/^get(Account|Usage|Description)$/.test(operationId) ? {} : argument)
    await (operationId === 'followGeneration' ? (called as unknown as AsyncGenerator).next() : called)
  }
  expect(asked).toEqual(table.map(({ method, path }) => `${method} ${path.replace('{id}', 'a%2Fb')}`))
})

function typeOf(schema: object): string {
  const types = clientTypes({ paths: {}, components: { schemas: { Probe: schema } } })
  return /export type Probe = ([\s\S]*?)\n\n\/\*\* What each/.exec(types)?.[1]?.trim() ?? ''
}

test.for<[string, object]>([
  ['string', { type: 'string', format: 'uri', minLength: 1 }],
  ['number', { type: 'integer', minimum: 0 }],
  ["'a' | 'it\\'s' | 3", { enum: ['a', "it's", 3] }],
  ['string | null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['string | null', { type: ['string', 'null'] }],
  ['Other | (string & {})', { anyOf: [{ $ref: '#/components/schemas/Other' }, { type: 'string' }] }],
  ['(string | number)[]', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }],
  ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
  ['{\n  a?: string\n}', { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['Record<string, never>', { type: 'object', properties: {}, additionalProperties: false }],
  [
    "{\n  a: string\n  'b-c'?: boolean\n}",
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': { type: 'boolean' } }, required: ['a'] },
  ],
  [
    '{\n  /** Words *\\/ here */\n  a?: unknown\n  [field: string]: unknown\n}',
    { type: 'object', properties: { a: { description: 'Words */ here' } }, additionalProperties: {} },
  ],
  [
    'Other & {\n  a?: null\n}',
    { allOf: [{ $ref: '#/components/schemas/Other' }, { type: 'object', properties: { a: { type: 'null' } } }] },
  ],
])('a schema becomes the type %s', ([type, schema]) => {
  expect(typeOf(schema)).toBe(type)
})

test.for<[string, object]>([
  ['patternProperties', { type: 'object', patternProperties: {} }],
  ['#/components/responses/X', { $ref: '#/components/responses/X' }],
  ['function', { type: 'function' }],
  ['a choice beside properties', { type: 'object', properties: {}, anyOf: [{ type: 'string' }] }],
])('a schema without an exact type is an error: %s', ([word, schema]) => {
  expect(() => typeOf(schema)).toThrow(word)
})
