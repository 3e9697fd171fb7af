import { codePoints, requireStorableText } from '../contract/refusals/plainText.ts'
import { type Issue, type IssueCode, invalidRequest } from '../contract/refusals/refusals.ts'

/** Limit of names of teams, persons and keys, in characters. */
const nameCharactersMax = 100

export type TextConstraints = {
  field: string
  /** In code points. Default 1. */
  charactersMin?: number
  charactersMax: number
  /** True: do not trim. */
  keepEnds?: boolean
}

/**
 * Parses a text from a request: trims it, checks its length, and checks that PostgreSQL can store it.
 * Refusals: invalid_request at `field` for a length outside the limits, a NUL, or a lone surrogate.
 */
export function parseText(text: string, { field, charactersMin = 1, charactersMax, keepEnds = false }: TextConstraints): string {
  const place = { in: 'body', path: [field] } satisfies Pick<Issue, 'in' | 'path'>
  const refusal = (code: IssueCode, message: string) => invalidRequest({ ...place, code, message })
  requireStorableText(text, place)
  const kept = keepEnds ? text : text.trim()
  const characters = kept.length > 2 * charactersMax ? kept.length : codePoints(kept)
  if (characters < charactersMin) throw refusal('too_small', `Takes at least ${charactersMin} characters.`)
  if (characters > charactersMax) throw refusal('too_long', `Takes at most ${charactersMax} characters.`)
  return kept
}

/** Parses the name of a team, a person or a key. Refusals: as {@link parseText}. */
export function parseName(text: string): string {
  return parseText(text, { field: 'name', charactersMax: nameCharactersMax })
}
