import { Group, Select, Text } from '@mantine/core'
import { useId, useRef } from 'react'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { PeriodSelect } from '../../ui/table/PeriodSelect.tsx'
import { DayFilter } from '../../ui/table/RangeFilters.tsx'
import { ChoicesQuery } from '../history/historyChoices.ts'
import { KeyFilter } from '../history/KeyFilter.tsx'
import { type DaySpan, type SpanFilters, type UsagePeriod, usagePeriodNames } from './usageSpan.ts'

export const usageKinds = ['day', 'key', 'family'] as const
export type UsageKind = (typeof usageKinds)[number]

const names: Record<UsageKind, string> = { day: 'Day', key: 'Key', family: 'Family' }

type Chosen = { key?: string | undefined; family?: string | undefined }

export type UsageFiltersProps = {
  /** The selected key or family. */
  selection: Chosen
  period: UsagePeriod | undefined
  /** Days were chosen. Without them and without a period, the last 30 days are shown. */
  isCustom: boolean
  span: DaySpan
  by: UsageKind
  fault: string | undefined
  onChange(changed: SpanFilters & { by?: UsageKind } & Chosen): void
}

/** The period, the grouping, and one key or family; a choice of one clears the other. */
export function UsageFilters({ period, isCustom, span, by, selection, fault, onChange }: UsageFiltersProps) {
  const { id: teamId } = useTeam()
  const families = useFamilies(selection.family)
  const byNoteId = useId()
  const first = useRef<HTMLInputElement>(null)
  const custom = { period: undefined, ...span }
  const isFixed = selection.key !== undefined || selection.family !== undefined
  return (
    <Group align="flex-start" gap="sm" mb="md" role="group" aria-label="Filters">
      <PeriodSelect
        names={usagePeriodNames}
        value={period ?? (isCustom ? 'custom' : '30d')}
        firstField={first}
        onChange={(chosen) => onChange(chosen === 'custom' ? custom : { period: chosen, from: undefined, to: undefined })}
      />
      <DayFilter label="From" day={span.from} ref={first} onChange={(from) => from !== undefined && onChange({ ...custom, from })} />
      <DayFilter label="To" day={span.to} error={fault} onChange={(to) => to !== undefined && onChange({ ...custom, to })} />
      <Select
        label="By"
        data={usageKinds.map((kind) => ({ value: kind, label: names[kind] }))}
        value={by}
        onChange={(chosen) => onChange({ by: usageKinds.find((kind) => kind === chosen) ?? 'day' })}
        allowDeselect={false}
        disabled={isFixed}
        aria-describedby={isFixed ? byNoteId : undefined}
        w={{ base: 'calc(50% - 6px)', xs: 130 }}
        comboboxProps={{ shadow: 'md' }}
      />
      <KeyFilter teamId={teamId} value={selection.key} onChange={(key) => onChange({ key, family: undefined })} />
      <FilterSelect
        label="Family"
        value={selection.family}
        options={families}
        onChange={(family) => onChange({ family, key: undefined })}
        searchable
      />
      {isFixed && (
        <Text id={byNoteId} size="xs" c="dimmed" w="100%" mt={-6}>
          The usage of one key or family is always shown by day.
        </Text>
      )}
    </Group>
  )
}

/** The families of the catalog, and the chosen one, which may have left it. */
function useFamilies(chosen: string | undefined) {
  const { id: teamId } = useTeam()
  const [{ data }] = useQuery({ query: ChoicesQuery, variables: { teamId } })
  const families = data?.families.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return chosen === undefined || families.some(({ value }) => value === chosen) ? families : [...families, { value: chosen, label: chosen }]
}
