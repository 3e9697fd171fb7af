import { limits } from './limits.ts'
import { type Issue, invalidRequest } from './refusals.ts'

/** How many characters people would count: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

type Place = Pick<Issue, 'in' | 'path'>

/**
 * Refuses text that cannot be kept as it came: a NUL, or half of a surrogate pair, in any string or name of `value`;
 * and nesting deeper than the limit, before anything recurses over it.
 * Refusals: invalid_request.
 */
export function requirePlainText(value: unknown, place: Issue['in'] = 'body'): void {
  visit(value, { in: place, path: [] }, 0)
}

function visit(value: unknown, place: Place, depth: number): void {
  if (typeof value === 'string') requireKeepable(value, place)
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.jsonDepth) {
    throw invalidRequest({ in: place.in, path: [], code: 'too_big', message: `JSON may be nested ${limits.jsonDepth} deep at most.` })
  }
  for (const [name, member] of Object.entries(value)) {
    requireKeepable(name, place)
    const step = Array.isArray(value) ? Number(name) : name
    if (typeof member === 'string' || typeof member === 'object') visit(member, { in: place.in, path: [...place.path, step] }, depth + 1)
  }
}

/** Refuses one text that cannot be kept as it came. Refusals: invalid_request at `place`. */
export function requireKeepable(text: string, place: Place): void {
  if (text.includes('\0')) throw invalidRequest({ ...place, code: 'bad_format', message: 'Text may hold no NUL character.' })
  if (!text.isWellFormed()) throw invalidRequest({ ...place, code: 'bad_format', message: 'Text may hold no half of a surrogate pair.' })
}
