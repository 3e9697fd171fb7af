import type { Explanation } from '../explanation.ts'
import type { IssueCode } from './refusals.ts'

/** Each code of `details.issues[]` explained. Contract: docs/contract.md#issues. */
export const issueExplanations: Readonly<Record<IssueCode, Explanation>> = {
  required: { meaning: 'Something that must be there is not.', remedy: 'Add it.' },
  unknown_field: {
    meaning: 'Nothing of this name is taken here.',
    remedy: 'Correct the name, or leave it out. `nearest` is the most similar name that is taken, where there is one.',
  },
  wrong_type: {
    meaning: 'The value is of another type than the one taken.',
    remedy: 'Send the type that `message` names; a number is not a string.',
  },
  not_allowed: {
    meaning: 'The value is not one of those that are taken here.',
    remedy: 'Choose one of `allowed`. `nearest` is the most similar of them, where there is one.',
  },
  too_small: { meaning: 'A number is too small, or a text or list has too few entries.', remedy: 'Keep to the bound in `message`.' },
  too_big: { meaning: 'A number is too large, or a list has too many entries.', remedy: 'Keep to the bound in `message`.' },
  too_long: { meaning: 'A text has too many characters.', remedy: 'Shorten it to the bound in `message`.' },
  bad_format: { meaning: 'A text does not have the form that is taken.', remedy: 'Bring it into the form that `message` describes.' },
  conflict: { meaning: 'Two things in the request exclude each other.', remedy: 'Send one of them.' },
}
