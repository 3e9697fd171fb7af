import type { TableLayout } from './useTableLayout.ts'

type Placed = { priority?: 'low'; width?: number | string }

/** The columns of a layout, and the columns whose values are shown under the first cell. The first column then takes the free width. */
export function splitColumns<Column extends Placed>(columns: readonly Column[], layout: TableLayout) {
  const moved = layout === 'medium' ? columns.filter(({ priority }) => priority === 'low') : []
  if (moved.length === 0) return { shown: columns, moved }
  const others = columns.filter(({ priority }) => priority !== 'low')
  return { shown: others.map((column, place) => (place === 0 ? { ...column, width: 'auto' } : column)), moved }
}
