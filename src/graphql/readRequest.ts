import type { FastifyRequest } from 'fastify'
import { requirePlainText } from '../contract/plainText.ts'
import { type Issue, invalidRequest, Refusal } from '../contract/refusals.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const members = new Set(['query', 'variables', 'operationName', 'extensions'])
const allowedTypes = ['application/json']

/** Only JSON in UTF-8, so that no form of another page can send a mutation. Refusals: unsupported_content_type. */
export function requireJson(request: FastifyRequest): void {
  const received = request.headers['content-type'] ?? null
  const encoding = request.headers['content-encoding']
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity'
  if (isPlain && received !== null && /^application\/json *(; *charset *= *"?utf-?8"? *)?$/i.test(received)) return
  throw new Refusal('unsupported_content_type', { received: isPlain ? received : `content-encoding ${encoding}`, allowed: allowedTypes })
}

/** Reads a GraphQL request over HTTP: `query`, and `variables`, `operationName`, `extensions` if any. Refusals: invalid_request. */
export function readRequest(bytes: unknown): Record<string, unknown> {
  const value = parse(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
  if (Array.isArray(value)) throw refused('wrong_type', 'One request at a time: the body must be a JSON object.')
  if (!isObject(value)) throw refused('wrong_type', 'The body must be a JSON object.')
  requirePlainText(value)
  for (const name of Object.keys(value)) {
    if (!members.has(name)) throw refused('unknown_field', 'There is no such field here.', name)
  }
  requireMembers(value)
  return value
}

function requireMembers({ query, variables, operationName, extensions }: Record<string, unknown>): void {
  if (isObject(extensions) && 'persistedQuery' in extensions)
    throw refused('not_allowed', 'No documents are kept here: send the document itself.', 'extensions', 'persistedQuery')
  if (typeof query !== 'string') throw refused(query === undefined ? 'required' : 'wrong_type', 'Takes a GraphQL document.', 'query')
  for (const [name, member] of Object.entries({ variables, extensions })) {
    if (!isObject(member ?? {})) throw refused('wrong_type', 'Takes a JSON object.', name)
  }
  if (typeof (operationName ?? '') !== 'string')
    throw refused('wrong_type', 'Takes the name of an operation in the document.', 'operationName')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw refused('bad_format', 'The body is not valid JSON in UTF-8.')
  }
}

function refused(code: Issue['code'], message: string, ...path: string[]): Refusal {
  return invalidRequest({ in: 'body', path, code, message })
}
