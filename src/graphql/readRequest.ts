import { withNearestName } from '../contract/refusals/nearestName.ts'
import { type Issue, invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import { isJsonObject, parseJsonBody } from '../transport/readJson.ts'

const members = new Set(['query', 'variables', 'operationName', 'extensions'])

/** Parses a GraphQL request: `query`, and optionally `variables`, `operationName` and `extensions`. Refusals: invalid_request. */
export function readRequest(bytes: unknown): Record<string, unknown> {
  const value = parseJsonBody(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
  for (const name of Object.keys(value)) {
    if (!members.has(name))
      throw invalidRequest(withNearestName({ in: 'body', path: [name], code: 'unknown_field', message: 'Unknown field.' }, name, members))
  }
  requireMembers(value)
  return value
}

function requireMembers({ query, variables, operationName, extensions }: Record<string, unknown>): void {
  if (isJsonObject(extensions) && 'persistedQuery' in extensions)
    throw refused('not_allowed', 'Persisted documents are not supported. Send the document in query.', 'extensions', 'persistedQuery')
  if (typeof query !== 'string') throw refused(query === undefined ? 'required' : 'wrong_type', 'Takes a GraphQL document.', 'query')
  for (const [name, member] of Object.entries({ variables, extensions })) {
    if (!isJsonObject(member ?? {})) throw refused('wrong_type', 'Takes a JSON object.', name)
  }
  if (typeof (operationName ?? '') !== 'string')
    throw refused('wrong_type', 'Takes the name of an operation in the document.', 'operationName')
}

function refused(code: Issue['code'], message: string, ...path: string[]): Refusal {
  return invalidRequest({ in: 'body', path, code, message })
}
