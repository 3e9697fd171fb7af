import { limits } from '../limits.ts'
import { type Issue, invalidRequest } from './refusals.ts'

/** The number of code points; `length` counts UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Refuses text that PostgreSQL cannot store: a NUL or a lone surrogate in any string or name of `value`. Also refuses nesting deeper than
 * the limit, before anything recurses over it.
 * Refusals: invalid_request.
 */
export function requirePlainText(value: unknown, place: Issue['in'] = 'body'): void {
  const fault = faultIn(value, 0)
  if (fault) throw invalidRequest({ ...fault, in: place, path: fault.path.toReversed() })
}

/** `path` starts at the innermost step. */
type Fault = Pick<Issue, 'path' | 'code' | 'message'>

/** Allocates nothing for valid values: a body may have a hundred thousand. */
function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= limits.jsonDepth)
    return { path: [], code: 'too_big', message: `JSON may have at most ${limits.jsonDepth} levels of nesting.` }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], depth + 1)
      if (fault) return at(index, fault)
    }
    return undefined
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) {
    const ofName = textFault(name)
    if (ofName) return ofName
    const fault = faultIn(members[name], depth + 1)
    if (fault) return at(name, fault)
  }
  return undefined
}

function at(step: string | number, fault: Fault): Fault {
  return fault.code === 'too_big' ? fault : { ...fault, path: [...fault.path, step] }
}

/** Why PostgreSQL cannot store a text, if it cannot. */
export function textFault(text: string): Fault | undefined {
  if (text.includes('\0')) return { path: [], code: 'bad_format', message: 'Text must not contain a NUL character.' }
  if (!text.isWellFormed()) return { path: [], code: 'bad_format', message: 'Text must not contain a lone surrogate.' }
  return undefined
}
