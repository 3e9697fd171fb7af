import { Button, Group } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { Children, type ReactNode, useState } from 'react'
import { useTableLayout } from './useTableLayout.ts'

export type FilterBarProps = {
  /** The filters with visible labels. */
  children: ReactNode
  /** True when a filter is set; then a button clears all filters. */
  active: boolean
  onClear(): void
  /** Content at the other end: a switch, an export. */
  end?: ReactNode
}

/** The filters above a list. On a phone all but the first are behind a button, so that the list begins in the first window. */
export function FilterBar({ children, active, onClear, end }: FilterBarProps) {
  const isPhone = useTableLayout() === 'cards'
  const [isOpen, setOpen] = useState(active)
  const [first, ...others] = Children.toArray(children)
  const folds = isPhone && others.length > 1
  return (
    <Group align="flex-end" gap="sm" mb="md" role="group" aria-label="Filters">
      {first}
      {folds && (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
      {(!folds || isOpen) && others}
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
