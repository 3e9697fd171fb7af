import { TextInput } from '@mantine/core'
import { fromLocalInputValue, toLocalInputValue } from '../../ui/form/localInputValue.ts'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { eventOptions, isNarrowed, type LogFilters, noFilters, stateOptions } from './filters.ts'

/** The filters of the delivery log. Contract: docs/contract.md#pages. */
export function DeliveryFilterBar({
  filters,
  options,
  onChange,
}: {
  filters: LogFilters
  /** The webhooks in the filter. */
  options: readonly { value: string; label: string }[]
  onChange(changed: Partial<LogFilters>): void
}) {
  const { state, webhook, event, since } = filters
  return (
    <FilterBar active={isNarrowed(filters)} onClear={() => onChange(noFilters)}>
      <FilterSelect label="State" value={state} options={stateOptions} onChange={(value) => onChange({ state: value })} />
      <FilterSelect
        label="Webhook"
        value={webhook}
        options={options}
        onChange={(value) => onChange({ webhook: value })}
        searchable
        width={260}
      />
      <FilterSelect label="Event" value={event} options={eventOptions} onChange={(value) => onChange({ event: value })} width={220} />
      <TextInput
        type="datetime-local"
        label="Since"
        w={{ base: 'calc(50% - 6px)', xs: 210 }}
        value={toLocalInputValue(since)}
        onChange={({ currentTarget }) => onChange({ since: fromLocalInputValue(currentTarget.value) })}
      />
    </FilterBar>
  )
}
