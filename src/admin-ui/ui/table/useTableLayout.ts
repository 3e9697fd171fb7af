import { useMediaQuery } from '@mantine/hooks'

/** How a table is laid out: all columns, the important columns, or a card for each row. */
export type TableLayout = 'wide' | 'medium' | 'cards'

const atOnce = { getInitialValueInEffect: false }

export function useTableLayout(): TableLayout {
  const isPhone = useMediaQuery('(max-width: 40em)', false, atOnce)
  const isWide = useMediaQuery('(min-width: 80em)', true, atOnce)
  if (isPhone) return 'cards'
  return isWide ? 'wide' : 'medium'
}
