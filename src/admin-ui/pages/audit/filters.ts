import { date, type Filters, oneOf, textFilter } from '../../ui/table/useUrlFilters.ts'
import { actions } from './auditLabels.ts'

/** The filters in the URL. `entry` is the open entry. */
export const auditFilters = { who: textFilter, what: oneOf(...actions), since: date, entry: textFilter }

export type LogFilters = Pick<Filters<typeof auditFilters>, 'who' | 'what' | 'since'>

export const noFilters: LogFilters = { who: undefined, what: undefined, since: undefined }

export function isNarrowed({ who, what, since }: LogFilters): boolean {
  return [who, what, since].some((value) => value !== undefined)
}
