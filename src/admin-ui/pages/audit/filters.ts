import { anyText, date, type Filters, oneOf } from '../../ui/useAddressFilters.ts'
import { actions } from './auditWords.ts'

/** What the address of the page holds. `entry` is the one whose panel is open. */
export const auditFilters = { who: anyText, what: oneOf(...actions), since: date, entry: anyText }

export type LogFilters = Pick<Filters<typeof auditFilters>, 'who' | 'what' | 'since'>

export const noFilters: LogFilters = { who: undefined, what: undefined, since: undefined }

export function isNarrowed({ who, what, since }: LogFilters): boolean {
  return [who, what, since].some((value) => value !== undefined)
}
