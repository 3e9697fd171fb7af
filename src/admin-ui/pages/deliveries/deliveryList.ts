import type { Delivery, DeliveryPage } from './deliveriesQuery.ts'

/** The part of the log that is shown: from the newest event down to where `endCursor` goes on. */
export type DeliveryList = { rows: readonly Delivery[]; endCursor: string | null; hasMore: boolean }

export function listOf({ nodes, pageInfo }: DeliveryPage): DeliveryList {
  return { rows: nodes, endCursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage }
}

/** The next page below. */
export function withNextPage(list: DeliveryList, page: DeliveryPage): DeliveryList {
  const known = new Set(list.rows.map(({ id }) => id))
  return { ...listOf(page), rows: [...list.rows, ...page.nodes.filter(({ id }) => !known.has(id))] }
}

/**
 * The first page as it is now takes the place of the rows that it covers. What it no longer holds, fits the filter no longer. Where so much
 * came at once that the page does not reach what is shown, the page is all.
 */
export function withFirstPage(list: DeliveryList, page: DeliveryPage): DeliveryList {
  const head = new Set(page.nodes.map(({ id }) => id))
  const last = page.nodes.at(-1)
  const reaches = list.rows.some(({ id }) => head.has(id))
  if (!page.pageInfo.hasNextPage || !last || !reaches) return listOf(page)
  const rest = list.rows.filter(({ id, time }) => !head.has(id) && time <= last.time)
  return rest.length === 0 ? listOf(page) : { ...list, rows: [...page.nodes, ...rest] }
}

/** What is shown stays where it is, and only tells what has become of it. */
export function withUpdates(list: DeliveryList, page: DeliveryPage): DeliveryList {
  const news = new Map(page.nodes.map((node) => [node.id, node]))
  return { ...list, rows: list.rows.map((row) => news.get(row.id) ?? row) }
}

/** How many rows of the first page are not shown yet and newer than all that is. */
export function countNew({ rows: [newest], rows }: DeliveryList, page: DeliveryPage): number {
  const known = new Set(rows.map(({ id }) => id))
  return page.nodes.filter(({ id, time }) => !known.has(id) && (newest === undefined || time >= newest.time)).length
}
