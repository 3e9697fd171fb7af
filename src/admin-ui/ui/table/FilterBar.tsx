import { Button, Group } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react'
import { FieldsDeferred } from './DeferredField.tsx'
import { useTableLayout } from './useTableLayout.ts'

export type FilterBarProps = {
  /** The filters with visible labels. */
  children: ReactNode
  /** True when a filter is set. */
  active: boolean
  /** What the button that clears all filters does; absent where the page has that button elsewhere. */
  onClear?(): void
  /** Content at the other end: a switch, an export. */
  end?: ReactNode
  /** True until the rows are loaded. The fields with a list of values are rendered after them. */
  isLoading?: boolean
}

/** The filters above a list. On a phone all but the first are behind a button, so that the list begins in the first window. */
export function FilterBar({ children, active, onClear, end, isLoading = false }: FilterBarProps) {
  const isPhone = useTableLayout() === 'cards'
  const [isOpen, setOpen] = useState(active)
  const areDeferred = useDeferredFields(isLoading)
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
      <FieldsDeferred value={areDeferred}>{(!folds || isOpen) && others}</FieldsDeferred>
      {active && onClear && (
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

/** True until the browser has painted the first rows. */
function useDeferredFields(isLoading: boolean): boolean {
  const [areDeferred, setDeferred] = useState(isLoading)
  useEffect(() => {
    if (isLoading || !areDeferred) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDeferred(false)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isLoading, areDeferred])
  return areDeferred
}
