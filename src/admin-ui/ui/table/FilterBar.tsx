import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type FilterBarProps = {
  /** The filters, each with its visible label. */
  children: ReactNode
  /** Whether any of them narrows the list; then one button takes all of them away. */
  active: boolean
  onClear(): void
  /** What stands at the other end: a switch, an export. */
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
