import { invalidRequest } from '../contract/refusals/refusals.ts'
import { nameRule, readText, type TextRule } from '../contract/shapes/text.ts'

/**
 * Parses a text from a request: trims it, checks its length, and checks that PostgreSQL can store it.
 * Refusals: invalid_request at `field` for a length outside the limits, a NUL, or a lone surrogate.
 */
export function parseText(given: string, { field, ...rule }: TextRule & { field: string }): string {
  const read = readText(given, rule)
  if ('fault' in read) throw invalidRequest({ in: 'body', path: [field], ...read.fault })
  return read.text
}

/** Parses the name of a team or a person. Refusals: as {@link parseText}. */
export function parseName(text: string): string {
  return parseText(text, { field: 'name', ...nameRule })
}
