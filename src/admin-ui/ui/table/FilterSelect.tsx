import { Select } from '@mantine/core'
import { DeferredField, type FieldSize, fieldSize } from './DeferredField.tsx'

export type FilterSelectProps<Value extends string> = Partial<FieldSize> & {
  label: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange(value: Value | undefined): void
  placeholder?: string
  searchable?: boolean
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
  const size = { ownRow, width }
  return (
    <DeferredField label={label} text={options.find((option) => option.value === value)?.label ?? placeholder} {...size}>
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
        {...fieldSize(size)}
        maxDropdownHeight={320}
        comboboxProps={{ shadow: 'md' }}
      />
    </DeferredField>
  )
}
