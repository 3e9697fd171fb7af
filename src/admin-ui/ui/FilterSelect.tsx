import { Select } from '@mantine/core'

export type FilterSelectProps<Value extends string> = {
  label: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange(value: Value | undefined): void
  searchable?: boolean
}

/** One filter of a few values; none chosen means all. */
export function FilterSelect<Value extends string>({ label, value, options, onChange, searchable = false }: FilterSelectProps<Value>) {
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear this filter', tabIndex: 0 }}
      searchable={searchable}
      nothingFoundMessage="Nothing found"
      w={{ base: '100%', xs: 170 }}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
