import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
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
  /** The value with the name that the service has for it. */
  const [named, setNamed] = useState<Choice>()
  const [opened, setOpened] = useState(false)
  /** The text of the field when Enter was pressed. */
  const [entered, setEntered] = useState<string>()
  const [search] = useDebouncedValue(typed, 250)
  const current = [chosen, named].find((each) => each !== undefined && each.value === value)
  // The label of the current value in the field is no search. A value of the address has no label yet, and is found by its identifier.
  const { found, fetching } = useSearch({ teamId, search: search === current?.label ? '' : search.slice(0, 100) })
  const match = found.find((each) => each.value === value)
  if (match && named?.value !== value) setNamed(match)
  const isCurrent = search === typed && !fetching
  const present = value === undefined ? [] : [current ?? match ?? { value, label: value }]
  const options = [...new Map([...found, ...present].map((option) => [option.value, option])).values()]
  const choose = (id: string | null) => {
    setChosen(options.find((option) => option.value === id))
    onChange(id ?? undefined)
  }
  // Enter may come before the answer of the service.
  const takeFirst = useEffectEvent(() => {
    if (entered === typed && found[0]) choose(found[0].value)
    setEntered(undefined)
    setOpened(false)
  })
  useEffect(() => {
    if (entered !== undefined && isCurrent) queueMicrotask(() => takeFirst())
  }, [entered, isCurrent])
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
      // The first option may still belong to an earlier search.
      selectFirstOptionOnChange={false}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDown={({ key, currentTarget }) => {
        const isSearch = typed !== '' && typed !== current?.label && !currentTarget.hasAttribute('aria-activedescendant')
        if (key === 'Enter' && isSearch) setEntered(typed)
      }}
      onChange={choose}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear this filter', 'aria-hidden': false, tabIndex: 0 }}
      nothingFoundMessage={fetching ? 'Searching…' : 'Nothing found'}
      {...fieldSize(size)}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
