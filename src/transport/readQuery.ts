import { requirePlainText } from '../contract/refusals/plainText.ts'
import { invalidRequest } from '../contract/refusals/refusals.ts'

/**
 * Parses the query of a URL: each name at most once, valid percent escapes, storable text. Parameters like `metadata[project]` become
 * members of an object, for the names in `objects`.
 * Refusals: invalid_request. Contract: docs/contract.md#query-parameters.
 */
export function readQuery(url: string, objects: readonly string[] = []): Record<string, unknown> {
  const start = url.indexOf('?')
  if (start === -1 || start === url.length - 1) return {}
  const query: Record<string, string> = Object.create(null)
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    if (name in query)
      throw invalidRequest({ in: 'query', path: [name], code: 'conflict', message: 'A query parameter may occur only once.' })
    query[name] = decode(equals === -1 ? '' : pair.slice(equals + 1))
  }
  requirePlainText(query, 'query')
  return objects.length === 0 ? query : gatherMembers(query, objects)
}

/** Replaces `name[member]` by members of one object. */
function gatherMembers(query: Record<string, string>, objects: readonly string[]): Record<string, unknown> {
  const gathered: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const object = objects.find((each) => name.startsWith(`${each}[`) && name.endsWith(']'))
    const target = object === undefined ? undefined : (gathered[object] ??= Object.create(null))
    if (object === undefined) gathered[name] = value
    else if (typeof target === 'object' && target !== null) (target as Record<string, string>)[name.slice(object.length + 1, -1)] = value
    else throw invalidRequest({ in: 'query', path: [object], code: 'conflict', message: `Use either ${object} or ${name}.` })
  }
  return gathered
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidRequest({ in: 'query', path: [], code: 'bad_format', message: 'The query contains an invalid percent escape.' })
  }
}
