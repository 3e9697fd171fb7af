import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { date, type Filters, oneOf, textFilter } from '../../ui/table/useUrlFilters.ts'
import { allEvents, eventNames } from '../webhooks/eventNames.ts'

const states = ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED'] as const

/** The filters in the URL. `delivery` is the open delivery. */
export const deliveryFilters = {
  state: oneOf(...states),
  webhook: textFilter,
  event: oneOf(...allEvents),
  since: date,
  delivery: textFilter,
  live: oneOf('on'),
}

export const stateOptions = states.map((value) => ({ value, label: stateLabel(value) }))
export const eventOptions = allEvents.map((value) => ({ value, label: eventNames[value].name }))

export type LogFilters = Pick<Filters<typeof deliveryFilters>, 'state' | 'webhook' | 'event' | 'since'>

export const noFilters: LogFilters = { state: undefined, webhook: undefined, event: undefined, since: undefined }

export function isNarrowed({ state, webhook, event, since }: LogFilters): boolean {
  return [state, webhook, event, since].some((value) => value !== undefined)
}
