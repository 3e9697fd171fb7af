import { Button, Group, Input, Select, TextInput } from '@mantine/core'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { ChoicesQuery } from '../history/historyChoices.ts'
import { KeyFilter } from '../history/KeyFilter.tsx'
import { type DaySpan, lastDays, presets } from './usageSpan.ts'

export const usageKinds = ['day', 'key', 'family'] as const
export type UsageKind = (typeof usageKinds)[number]

const names: Record<UsageKind, string> = { day: 'Day', key: 'Key', family: 'Family' }

type Chosen = { key?: string | undefined; family?: string | undefined }

export type UsageFiltersProps = {
  /** The selected key or family. */
  selection: Chosen
  span: DaySpan
  by: UsageKind
  fault: string | undefined
  now: number
  onChange(changed: Partial<DaySpan & { by: UsageKind }> & Chosen): void
}

/** The period, the grouping, and one key or family; a choice of one clears the other. */
export function UsageFilters({ span, by, selection, fault, now, onChange }: UsageFiltersProps) {
  const { id: teamId } = useTeam()
  const families = useFamilies(selection.family)
  return (
    <Group align="flex-start" gap="sm" mb="md" role="group" aria-label="Filters">
      <DayField label="From" day={span.from} onChange={(from) => onChange({ from })} />
      <DayField label="To" day={span.to} error={fault} onChange={(to) => onChange({ to })} />
      <Select
        label="By"
        data={usageKinds.map((kind) => ({ value: kind, label: names[kind] }))}
        value={by}
        onChange={(chosen) => onChange({ by: usageKinds.find((kind) => kind === chosen) ?? 'day' })}
        allowDeselect={false}
        disabled={selection.key !== undefined || selection.family !== undefined}
        w={{ base: '100%', xs: 130 }}
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
      <Input.Wrapper label="Last" labelElement="div">
        <Group gap={6} role="group" aria-label="Presets">
          {presets.map((days) => {
            const preset = lastDays(days, now)
            const isChosen = preset.from === span.from && preset.to === span.to
            return (
              <Button key={days} variant={isChosen ? 'light' : 'default'} aria-pressed={isChosen} px="sm" onClick={() => onChange(preset)}>
                {days} days
              </Button>
            )
          })}
        </Group>
      </Input.Wrapper>
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

type DayFieldProps = { label: string; day: string; error?: string | undefined; onChange(day: string): void }

/** The browser's date field, because it supports the reader's date format and all keyboards. */
function DayField({ label, day, error, onChange }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={day}
      error={error}
      max="9999-12-31"
      onChange={({ currentTarget: { value } }) => {
        // An incomplete date has no value.
        if (value !== '') onChange(value)
      }}
      w={{ base: '100%', xs: 150 }}
      styles={{ error: { maxWidth: 150 } }}
    />
  )
}
