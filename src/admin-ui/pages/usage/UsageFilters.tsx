import { Button, Group, Input, Select, TextInput } from '@mantine/core'
import { type DaySpan, lastDays, presets } from './usageSpan.ts'

export const usageKinds = ['day', 'key', 'family'] as const
export type UsageKind = (typeof usageKinds)[number]

const names: Record<UsageKind, string> = { day: 'Day', key: 'Key', family: 'Family' }

export type UsageFiltersProps = {
  span: DaySpan
  by: UsageKind
  fault: string | undefined
  now: number
  onChange(changed: Partial<DaySpan & { by: UsageKind }>): void
}

/** The period and the grouping. */
export function UsageFilters({ span, by, fault, now, onChange }: UsageFiltersProps) {
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
        w={{ base: '100%', xs: 130 }}
        comboboxProps={{ shadow: 'md' }}
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
