import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import { fieldSize } from '../../ui/table/DeferredField.tsx'
import { FilterBar } from '../../ui/table/FilterBar.tsx'
import { FilterSelect } from '../../ui/table/FilterSelect.tsx'
import { FilterText } from '../../ui/table/FilterText.tsx'
import { DayRangeFilter } from '../../ui/table/RangeFilters.tsx'
import { outputTypeLabels } from '../catalog/familyLabels.ts'
import { sourceLabel } from './generationLabels.ts'
import { ChoicesQuery } from './historyChoices.ts'
import { type HistoryFilters, isNarrowed, outputs, sources, states } from './historyFilters.ts'
import type { HistoryRow } from './historyQuery.ts'
import { KeyFilter } from './KeyFilter.tsx'
import { PersonFilter } from './PersonFilter.tsx'

type Choice = { value: string; label: string }

export type HistoryFilterBarProps = {
  teamId: string
  filters: HistoryFilters
  /** The loaded rows: they contain families that are no longer in the catalog. */
  rows: readonly HistoryRow[]
  /** True until the rows are loaded or failed. */
  isLoading: boolean
  /** From `useFrozenNow`. */
  now: number
  onChange(changed: Partial<HistoryFilters>): void
}

export function HistoryFilterBar({ teamId, filters, rows, isLoading, now, onChange }: HistoryFilterBarProps) {
  const [{ data }] = useQuery({ query: ChoicesQuery, variables: { teamId }, pause: isLoading })
  const families = data?.families.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const shownFamilies = rows.map(({ familyId }) => ({ value: familyId, label: familyId }))
  return (
    <FilterBar active={isNarrowed(filters)} isLoading={isLoading}>
      <FilterText
        label="Search"
        placeholder="Prompt or reference"
        value={filters.search}
        keep={(text) => text.slice(0, 200)}
        onChange={(search) => onChange({ search })}
      />
      <FilterSelect
        label="State"
        value={filters.state}
        options={states.map((value) => ({ value, label: stateLabel(value) }))}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label="Source"
        value={filters.source}
        options={sources.map((value) => ({ value, label: sourceLabel(value) }))}
        onChange={(source) => onChange({ source })}
      />
      <FilterSelect
        label="Makes"
        value={filters.makes}
        options={outputs.map((value) => ({ value, label: outputTypeLabels[value] }))}
        onChange={(makes) => onChange({ makes })}
      />
      <FilterSelect
        label="Family"
        value={filters.family}
        options={once([...families, ...shownFamilies, ...chosen(filters.family)])}
        onChange={(family) => onChange({ family })}
        searchable
      />
      <KeyFilter teamId={teamId} value={filters.key} onChange={(key) => onChange({ key })} />
      <PersonFilter teamId={teamId} value={filters.who} onChange={(who) => onChange({ who })} />
      <ReferenceFilter value={filters.reference} onChange={(reference) => onChange({ reference })} />
      <DayRangeFilter range={filters} now={now} onChange={onChange} />
    </FilterBar>
  )
}

/** Applied when the user stops typing. A reference must match exactly. */
function ReferenceFilter({ value = '', onChange }: { value: string | undefined; onChange(value: string | undefined): void }) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const applyText = useDebouncedCallback((reference: string) => onChange(reference === '' ? undefined : reference), 400)
  // The URL was changed by a link or by the clear button.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const write = (reference: string) => {
    setText(reference)
    applyText(reference)
  }
  return (
    <TextInput
      label="Reference"
      placeholder="Exactly as given"
      value={text}
      maxLength={200}
      onChange={(event) => write(event.currentTarget.value)}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear this filter" onClick={() => write('')} />}
      {...fieldSize({ width: 140 })}
    />
  )
}

/** A URL may contain a value that is not in the list. */
function chosen(value: string | undefined): Choice[] {
  return value === undefined ? [] : [{ value, label: value }]
}

function once(choices: Choice[]): Choice[] {
  return [...new Map(choices.toReversed().map((choice) => [choice.value, choice])).values()].toReversed()
}
