import type { Explanation } from '../explanation.ts'
import type { IssueCode } from './refusals.ts'

/** Each code of `details.issues[]` explained. Contract: docs/contract.md#issues. */
export const issueExplanations: Readonly<Record<IssueCode, Explanation>> = {
  required: { meaning: 'A required value is missing.', remedy: 'Add it.' },
  unknown_field: {
    meaning: 'No field or parameter of this name exists.',
    remedy: 'Correct the name, or remove it. `nearest`, if present, is the most similar existing name.',
  },
  wrong_type: {
    meaning: 'The value has the wrong type.',
    remedy: 'Send the type in `message`. A number is not a string.',
  },
  not_allowed: {
    meaning: 'The value is not one of the allowed values.',
    remedy: 'Use a value from `allowed`. `nearest`, if present, is the most similar one.',
  },
  too_small: { meaning: 'A number is too small, or a text or list is too short.', remedy: 'Send at least the minimum in `message`.' },
  too_big: { meaning: 'A number is too large, or a list has too many entries.', remedy: 'Send at most the maximum in `message`.' },
  too_long: { meaning: 'A text has too many characters.', remedy: 'Shorten it to the maximum in `message`.' },
  bad_format: { meaning: 'A text has the wrong format.', remedy: 'Use the format in `message`.' },
  conflict: { meaning: 'Two values of the request exclude each other.', remedy: 'Send only one of them.' },
}
