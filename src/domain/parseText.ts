import { codePoints, requireStorableText } from '../contract/refusals/plainText.ts'
import { type Issue, type IssueCode, invalidRequest } from '../contract/refusals/refusals.ts'

/** The longest name of a team, a person or a key, in characters. */
const nameCharactersMax = 100

export type TextConstraints = {
  field: string
  /** In characters as people count them: code points. 1 unless told. */
  charactersMin?: number
  charactersMax: number
  /** White space at the ends belongs to the text. */
  keepEnds?: boolean
}

/**
 * Reads a text of a request: trimmed unless told otherwise, of an allowed length, and such as can be kept as it came.
 * Refusals: invalid_request at `field` for another length, a NUL, or half of a surrogate pair.
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

/** Reads the name of a team, a person or a key. Refusals: as {@link parseText}. */
export function parseName(text: string): string {
  return parseText(text, { field: 'name', charactersMax: nameCharactersMax })
}
