import { z } from 'zod'
import type { CustomParams } from '../refusals/issues.ts'
import { codePoints, textFault } from '../refusals/plainText.ts'
import type { Issue } from '../refusals/refusals.ts'

export type TextRule = {
  /** In code points; 1 when left out. */
  charactersMin?: number
  charactersMax: number
  /** Keeps white space at both ends. */
  keepEnds?: boolean
  /** What the text may not contain, with the message of the refusal. */
  forbidden?: { pattern: RegExp; message: string }
}

/** A text that satisfies its rule, trimmed unless the rule keeps its ends; else why it does not. */
type ReadText = { text: string } | { fault: Pick<Issue, 'code' | 'message'> }

/** Reads a text of a request: PostgreSQL can store it, and it has an allowed length and no forbidden characters. */
export function readText(given: string, { charactersMin = 1, charactersMax, keepEnds = false, forbidden }: TextRule): ReadText {
  const unstorable = textFault(given)
  if (unstorable) return { fault: { code: unstorable.code, message: unstorable.message } }
  const text = keepEnds ? given : given.trim()
  const characters = text.length > 2 * charactersMax ? text.length : codePoints(text)
  if (characters < charactersMin) return { fault: { code: 'too_small', message: `Takes at least ${charactersMin} characters.` } }
  if (characters > charactersMax) return { fault: { code: 'too_long', message: `Takes at most ${charactersMax} characters.` } }
  return forbidden?.pattern.test(text) ? { fault: { code: 'bad_format', message: forbidden.message } } : { text }
}

/** A text of an input, as {@link readText} reads it. */
export function text(rule: TextRule) {
  return z.string().transform((given, context) => {
    const read = readText(given, rule)
    if ('text' in read) return read.text
    context.addIssue({ code: 'custom', message: read.fault.message, params: { issue: read.fault.code } satisfies CustomParams })
    return z.NEVER
  })
}

/** The name of a team, a person or a key. */
export const nameRule = { charactersMax: 100 } satisfies TextRule
export const name = text(nameRule)
