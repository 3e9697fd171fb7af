import { TextInput } from '@mantine/core'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { fromLocalInputValue, toLocalInputValue } from '../../ui/form/localInputValue.ts'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { actionOptions } from './auditLabels.ts'
import { ActorsQuery } from './auditQuery.ts'
import { isNarrowed, type LogFilters, noFilters } from './filters.ts'

/** The filters of the audit log. Contract: docs/contract.md#pages. */
export function AuditFilterBar({ filters, onChange }: { filters: LogFilters; onChange(changed: Partial<LogFilters>): void }) {
  const { who, what, since } = filters
  const team = useTeam()
  const [{ data }] = useQuery({ query: ActorsQuery, variables: { team: team.id } })
  const people = (data?.team?.members.nodes ?? []).map(({ user: { id, name } }) => ({ value: id, label: name }))
  // A former member or a key, from the URL.
  const others = who === undefined || people.some(({ value }) => value === who) ? [] : [{ value: who, label: who }]
  return (
    <FilterBar active={isNarrowed(filters)} onClear={() => onChange(noFilters)}>
      <FilterSelect
        label="Who"
        value={who}
        options={[...people, ...others]}
        onChange={(value) => onChange({ who: value })}
        searchable
        width={220}
      />
      <FilterSelect
        label="What"
        value={what}
        options={actionOptions}
        onChange={(value) => onChange({ what: value })}
        searchable
        width={220}
      />
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
