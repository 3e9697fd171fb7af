import type { Delivery, DeliveryPage } from './deliveriesQuery.ts'

/** The loaded part of the log: from the newest event to `endCursor`. */
export type DeliveryList = { rows: readonly Delivery[]; endCursor: string | null; hasMore: boolean }

export function listOf({ nodes, pageInfo }: DeliveryPage): DeliveryList {
  return { rows: nodes, endCursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage }
}

/** Appends the next page. */
export function withNextPage(list: DeliveryList, page: DeliveryPage): DeliveryList {
  const known = new Set(list.rows.map(({ id }) => id))
  return { ...listOf(page), rows: [...list.rows, ...page.nodes.filter(({ id }) => !known.has(id))] }
}

/**
 * Replaces the covered rows with the current first page. Rows that are missing in it no longer match the filter. When so many rows are
 * new that the page does not reach the loaded rows, only the page is kept.
 */
export function withFirstPage(list: DeliveryList, page: DeliveryPage): DeliveryList {
  const head = new Set(page.nodes.map(({ id }) => id))
  const last = page.nodes.at(-1)
  const reaches = list.rows.some(({ id }) => head.has(id))
  if (!page.pageInfo.hasNextPage || !last || !reaches) return listOf(page)
  const rest = list.rows.filter(({ id, time }) => !head.has(id) && time <= last.time)
  return rest.length === 0 ? listOf(page) : { ...list, rows: [...page.nodes, ...rest] }
}

/** Updates the loaded rows without adding or moving any. */
export function withUpdates(list: DeliveryList, current: readonly Delivery[]): DeliveryList {
  const updates = new Map(current.map((row) => [row.id, row]))
  return { ...list, rows: list.rows.map((row) => updates.get(row.id) ?? row) }
}

/** The number of rows of the first page that are newer than all loaded rows. */
export function countNew({ rows: [newest], rows }: DeliveryList, page: DeliveryPage): number {
  const known = new Set(rows.map(({ id }) => id))
  return page.nodes.filter(({ id, time }) => !known.has(id) && (newest === undefined || time >= newest.time)).length
}
