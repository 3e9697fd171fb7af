import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { KeyChoicesQuery } from './historyChoices.ts'

type KeyFilterProps = { teamId: string; value: string | undefined; onChange(value: string | undefined): void }

/** Chooses a key. A team may have thousands, so the service searches. */
export function KeyFilter({ teamId, value, onChange }: KeyFilterProps) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const [search] = useDebouncedValue(typed, 250)
  // After a choice the field has the label of the key, which is no search.
  const asked = search === chosen?.label ? '' : search.slice(0, 100)
  const [{ data, fetching }] = useQuery({ query: KeyChoicesQuery, variables: { teamId, search: asked } })
  const found = data?.team?.apiKeys.nodes.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` })) ?? []
  const present =
    value === undefined
      ? []
      : [chosen?.value === value ? chosen : { value, label: found.find((key) => key.value === value)?.label ?? value }]
  const options = [...new Map([...present, ...found].map((option) => [option.value, option])).values()]
  return (
    <Select
      label="Key"
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
      w={{ base: 'calc(50% - 6px)', xs: 170 }}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
