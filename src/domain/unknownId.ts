import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'

/** The refusal for an unknown identifier. An object of another owner gets the same one, so that its existence is not revealed. */
export function unknownId(field: string, what: string): Refusal {
  return invalidRequest({ in: 'body', path: [field], code: 'not_allowed', message: `There is no such ${what}.` })
}
