import type { TableLayout } from './useTableLayout.ts'

type Placed = { priority?: 'low'; width?: number | string }

/** The columns with a place of their own, and those that move under the first cell, which then gets the space that the others leave. */
export function placeColumns<Column extends Placed>(columns: readonly Column[], layout: TableLayout) {
  const moved = layout === 'medium' ? columns.filter(({ priority }) => priority === 'low') : []
  if (moved.length === 0) return { shown: columns, moved }
  const others = columns.filter(({ priority }) => priority !== 'low')
  return { shown: others.map((column, place) => (place === 0 ? { ...column, width: 'auto' } : column)), moved }
}
