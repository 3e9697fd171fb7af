import { Select } from '@mantine/core'

export type FilterSelectProps<Value extends string> = {
  label: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange(value: Value | undefined): void
  placeholder?: string
  searchable?: boolean
  /** On a phone in a row of its own. */
  ownRow?: boolean
  /** In pixels, on wide screens. */
  width?: number
}

/** A filter with a few values; none selected means all. */
export function FilterSelect<Value extends string>({
  label,
  value,
  options,
  onChange,
  placeholder = 'All',
  searchable = false,
  ownRow = false,
  width = 170,
}: FilterSelectProps<Value>) {
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear this filter', 'aria-hidden': false, tabIndex: 0 }}
      searchable={searchable}
      nothingFoundMessage="Nothing found"
      w={{ base: ownRow ? '100%' : 'calc(50% - 6px)', xs: width }}
      maxDropdownHeight={320}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
