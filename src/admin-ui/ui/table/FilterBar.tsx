import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type FilterBarProps = {
  /** The filters with visible labels. */
  children: ReactNode
  /** True when a filter is set; then a button clears all filters. */
  active: boolean
  onClear(): void
  /** Content at the other end: a switch, an export. */
  end?: ReactNode
}

/** The filters above a list. */
export function FilterBar({ children, active, onClear, end }: FilterBarProps) {
  return (
    <Group align="flex-end" gap="sm" mb="md" role="group" aria-label="Filters">
      {children}
      {active && (
        <Button variant="subtle" color="gray" px="xs" onClick={onClear}>
          Clear filters
        </Button>
      )}
      {end !== undefined && (
        <Group gap="sm" ml="auto" align="center">
          {end}
        </Group>
      )}
    </Group>
  )
}
