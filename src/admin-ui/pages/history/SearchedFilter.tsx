import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { DeferredField, fieldSize } from '../../ui/table/DeferredField.tsx'

type Choice = { value: string; label: string }

export type SearchedFilterProps = { teamId: string; value: string | undefined; onChange(value: string | undefined): void }

type Search = (asked: { teamId: string; search: string }) => { found: readonly Choice[]; fetching: boolean }

type Props = SearchedFilterProps & { label: string; useSearch: Search }

const size = { width: 170 }

/** A filter with too many values for a list: the service searches. `useSearch` is a hook that finds what is typed. */
export function SearchedFilter(props: Props) {
  return (
    <DeferredField label={props.label} text={props.value ?? 'All'} {...size}>
      <SearchedSelect {...props} />
    </DeferredField>
  )
}

function SearchedSelect({ label, useSearch, teamId, value, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Choice>()
  const [search] = useDebouncedValue(typed, 250)
  // After a choice the field has the label of the choice, which is no search.
  const { found, fetching } = useSearch({ teamId, search: search === chosen?.label ? '' : search.slice(0, 100) })
  const present =
    value === undefined
      ? []
      : [chosen?.value === value ? chosen : { value, label: found.find((each) => each.value === value)?.label ?? value }]
  const options = [...new Map([...present, ...found].map((option) => [option.value, option])).values()]
  return (
    <Select
      label={label}
      placeholder="All"
      data={options}
      // The service has filtered.
      filter={({ options: all }) => all}
      value={value ?? null}
      searchable
      onSearchChange={setTyped}
      onChange={(id) => {
        setChosen(options.find((option) => option.value === id))
        onChange(id ?? undefined)
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear this filter', 'aria-hidden': false, tabIndex: 0 }}
      nothingFoundMessage={fetching ? 'Searching…' : 'Nothing found'}
      {...fieldSize(size)}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
