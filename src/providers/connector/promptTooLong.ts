import type { Failure } from '../../contract/failures/failures.ts'

/** The failure of a prompt that is too long. `maxLength`: in code points; `null` when unknown. */
export function promptTooLong(prompt: string | null, maxLength: number | null): Failure {
  const details = { actualLength: [...(prompt ?? '')].length, ...(maxLength === null ? {} : { maxLength }) }
  return { code: 'prompt_validation', reason: 'prompt_too_long', details }
}

/**
 * The failure of a prompt that the vendor refused as too long, with the limit from the vendor's message. The catalog allowed the prompt,
 * so the catalog's limit does not apply. `words` must not contain text of the caller.
 */
export function vendorPromptTooLong(prompt: string | null, words: string): Failure {
  return promptTooLong(prompt, limitIn(words))
}

const limits = /(?:at most|limit|maximum|max_length|no more than|less than or equal to|up to)([^.\d]{0,60})(\d[\d,]*)\s*([a-z]*)/gi
const otherUnits = /token|byte|word|second|minute|\b[km]b\b/i

/** The first limit in characters, as in "at most 4096 characters" or "exceeds the character limit of 10,000". Skips other units. */
function limitIn(words: string): number | null {
  const [first] = [...words.matchAll(limits)].filter(([, between = '', , unit = '']) => !otherUnits.test(`${between} ${unit}`))
  return first === undefined ? null : Number(first[2]?.replaceAll(',', ''))
}
