import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'

/** What a change of something unknown is refused with; another's things are as unknown as those that never were. */
export function unknownId(field: string, what: string): Refusal {
  return invalidRequest({ in: 'body', path: [field], code: 'not_allowed', message: `There is no such ${what}.` })
}
