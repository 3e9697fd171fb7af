import { requirePlainText } from '../contract/refusals/plainText.ts'
import { invalidRequest } from '../contract/refusals/refusals.ts'

/**
 * Parses the query of a URL: each name at most once, valid percent escapes, storable text.
 * Refusals: invalid_request. Contract: docs/contract.md#query-parameters.
 */
export function readQuery(url: string): Record<string, string> {
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
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidRequest({ in: 'query', path: [], code: 'bad_format', message: 'The query contains an invalid percent escape.' })
  }
}
