import type { Failure } from '../contract/failures.ts'

/** A prompt beyond what a model takes; `maxLength` in code points, `null` where nobody says how much that is. */
export function promptTooLong(prompt: string | null, maxLength: number | null): Failure {
  const details = { actualLength: [...(prompt ?? '')].length, ...(maxLength === null ? {} : { maxLength }) }
  return { code: 'prompt_validation', reason: 'prompt_too_long', details }
}
