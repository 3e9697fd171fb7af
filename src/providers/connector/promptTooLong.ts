import type { Failure } from '../../contract/failures/failures.ts'

/** A prompt beyond what a model takes; `maxLength` in code points, `null` where nobody says how much that is. */
export function promptTooLong(prompt: string | null, maxLength: number | null): Failure {
  const details = { actualLength: [...(prompt ?? '')].length, ...(maxLength === null ? {} : { maxLength }) }
  return { code: 'prompt_validation', reason: 'prompt_too_long', details }
}

/**
 * A prompt that the vendor found too long, with the limit that its words name. The catalog allowed the prompt, so that its own limit cannot
 * be the one that was met. `words` must not hold what the caller wrote.
 */
export function vendorPromptTooLong(prompt: string | null, words: string): Failure {
  return promptTooLong(prompt, limitIn(words))
}

const limits = /(?:at most|limit|maximum|max_length|no more than|less than or equal to|up to)([^.\d]{0,60})(\d[\d,]*)\s*([a-z]*)/gi
const otherUnits = /token|byte|word|second|minute|\b[km]b\b/i

/** The first limit in characters, as in "at most 4096 characters" or "exceeds the character limit of 10,000"; none in other units. */
function limitIn(words: string): number | null {
  const [first] = [...words.matchAll(limits)].filter(([, between = '', , unit = '']) => !otherUnits.test(`${between} ${unit}`))
  return first === undefined ? null : Number(first[2]?.replaceAll(',', ''))
}
