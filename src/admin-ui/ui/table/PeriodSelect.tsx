import type { RefObject } from 'react'
import { FilterSelect } from './FilterSelect.tsx'

type PeriodSelectProps<Period extends string> = {
  names: Readonly<Record<Period, string>>
  /** `custom` for a range that no period has. */
  value: Period | 'custom' | undefined
  /** The field that gets the focus with `Custom`. */
  firstField: RefObject<HTMLInputElement | null>
  onChange(period: Period | 'custom' | undefined): void
}

/** Quick choices of a range of time. */
export function PeriodSelect<Period extends string>({ names, value, firstField, onChange }: PeriodSelectProps<Period>) {
  const options = (Object.entries<string>(names) as [Period, string][]).map(([name, label]) => ({ value: name, label }))
  return (
    <FilterSelect<Period | 'custom'>
      label="Period"
      placeholder="Any time"
      value={value}
      options={[...options, { value: 'custom', label: 'Custom' }]}
      onChange={(chosen) => {
        onChange(chosen)
        if (chosen === 'custom') firstField.current?.focus()
      }}
      ownRow
      width={140}
    />
  )
}
