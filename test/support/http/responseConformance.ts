import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { docUrlsAt } from '../../../src/contract/docUrl.ts'
import { errorReference } from '../../../src/contract/errorReference.ts'
import { commonRefusals, type Endpoint } from '../../../src/rest/endpoint.ts'
import { endpoints } from '../../../src/rest/endpoints.ts'
import { describe } from '../../../src/rest/openapi.ts'

export type SeenResponse = { method: string; url: string; status: number; headers: Record<string, string | undefined>; body: string }

type Response = { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, { schema?: object }> }
type Document = { paths: Record<string, Record<string, { responses: Record<string, Response> }>> }

const prefix = '/api/v1'
const documentId = 'https://atelier.test/openapi.json'

const table: Endpoint[] = endpoints(() => document)
export const document = JSON.parse(JSON.stringify(describe(table, { publicUrl: 'http://atelier.test', version: '0.0.0' }))) as Document

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, schemas: [{ ...document, $id: documentId }] }))
const explained = errorReference(docUrlsAt('')).filter(({ kind }) => kind === 'refusal')
const validators = new Map<string, ValidateFunction>()

const always = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
  'x-concurrency-limit',
  'x-concurrency-remaining',
]

/**
 * Returns the violations of our OpenAPI document by a response: an undeclared status or refusal code, a body
 * outside its schema, or a missing header. Responses of unknown paths must have the format of a refusal.
 */
export function faultsOf(seen: SeenResponse): string[] {
  if (!isInOpenapi(seen.url)) return []
  const path = seen.url.split('?', 1)[0] ?? ''
  const faults = missingHeaders(seen)
  const endpoint = endpointOf(seen.method, path.slice(prefix.length))
  if (!endpoint) return [...faults, ...bodyFaults(seen, '#/components/schemas/Refusal')]
  const pointer = `#/paths/${escaped(endpoint.path)}/${endpoint.method.toLowerCase()}/responses/${seen.status}`
  const declared = at<Response>(pointer)
  if (!declared) return [...faults, `the status ${seen.status} is not declared`]
  const place = declared.$ref ?? pointer
  const response = at<Response>(place)
  const promised = Object.keys(response?.headers ?? {}).filter((name) => !optional.has(name))
  faults.push(...promised.filter((name) => seen.headers[name.toLowerCase()] === undefined).map((name) => `the header ${name} is missing`))
  if (!response?.content) return seen.body === '' ? faults : [...faults, 'a body where none is declared']
  if (seen.status >= 400) faults.push(...codeFaults(seen, endpoint))
  if ('text/event-stream' in response.content) return [...faults, ...eventFaults(seen, `${place}/content/text~1event-stream/schema`)]
  return [...faults, ...bodyFaults(seen, `${place}/content/application~1json/schema`)]
}

/** The schema of a stream applies to the data of each event. */
function eventFaults({ body, headers }: SeenResponse, place: string): string[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) return [`the content type is ${headers['content-type']}`]
  const told = body.split('\n').filter((line) => line.startsWith('data: '))
  return told.flatMap((line) => schemaFaults(line.slice('data: '.length), place))
}

/** Other paths are outside the REST API: pages and their files, GraphQL, health. */
export function isInOpenapi(url: string): boolean {
  return url.startsWith(`${prefix}/`)
}

/** The header depends on the code, not only on the status. */
const optional = new Set(['Retry-After'])

/** A literal path takes precedence over one with a parameter, for any method. */
function endpointOf(method: string, path: string): Endpoint | undefined {
  const literal = table.filter((each) => each.path === path)
  const fitting =
    literal.length > 0 ? literal : table.filter((each) => new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return fitting.find((each) => each.method === method)
}

function missingHeaders({ status, headers }: SeenResponse): string[] {
  const wanted = [
    ...always,
    ...(status === 401 ? ['www-authenticate'] : []),
    ...(status === 429 || status === 503 ? ['retry-after'] : []),
    ...(status === 405 ? ['allow'] : []),
  ]
  return wanted.filter((name) => headers[name] === undefined).map((name) => `the header ${name} is missing`)
}

function codeFaults({ body }: SeenResponse, endpoint: Endpoint): string[] {
  const { error } = JSON.parse(body) as { error: { code: string; docUrl: string } }
  const declared: string[] = [...commonRefusals, ...endpoint.refusals]
  const paragraph = explained.find(({ code }) => code === error.code)?.id
  const isExplained = paragraph !== undefined && error.docUrl.endsWith(`/docs/errors#${paragraph}`)
  return [
    ...(declared.includes(error.code) ? [] : [`the refusal ${error.code} is not declared`]),
    ...(isExplained ? [] : [`${error.docUrl} leads to no paragraph of ${error.code}`]),
  ]
}

function bodyFaults({ method, body, headers }: SeenResponse, place: string): string[] {
  if (method === 'HEAD') return body === '' ? [] : ['a body where none may be']
  if (!headers['content-type']?.startsWith('application/json')) return [`the content type is ${headers['content-type']}`]
  return schemaFaults(body, place)
}

function schemaFaults(body: string, place: string): string[] {
  let validate = validators.get(place)
  if (!validate) {
    validate = ajv.compile({ $ref: documentId + place })
    validators.set(place, validate)
  }
  return validate(JSON.parse(body)) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath || 'the body'} ${error.message}`)
}

/** The value at that JSON pointer of our document. */
export function at<Value>(pointer: string): Value | undefined {
  let here: unknown = document
  for (const step of pointer.slice(2).split('/')) {
    here = (here as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return here as Value | undefined
}

/** As a step of a JSON pointer. */
export function escaped(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1')
}
