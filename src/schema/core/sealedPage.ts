import type { Context } from '../../domain/context.ts'
import { type ListName, openListCursor, sealListCursor } from '../../domain/listCursor.ts'
import { type KeysetList, pageSize } from './keysetConnection.ts'

type Page<Item> = { items: Item[]; nextCursor: string | null }

/** A list of one team with one filter. A cursor belongs to that list alone. */
type SealedList<Node, Item> = Pick<KeysetList<Node>, 'find' | 'keyOf'> & { of: ListName; present(nodes: Node[]): Promise<Item[]> }

/**
 * A page of a keyed list in the shape of REST lists. Refusals: invalid_request for a page size outside 1 to 50,
 * invalid_cursor for a cursor of another list or filter.
 * Contract: docs/contract.md#lists.
 */
export async function sealedPage<Node, Item>(
  context: Context,
  { cursor, limit }: { cursor?: string | null | undefined; limit?: number | null | undefined },
  { of, find, keyOf, present }: SealedList<Node, Item>,
): Promise<Page<Item>> {
  const size = pageSize({ first: limit })
  const after = cursor === null || cursor === undefined ? undefined : openListCursor(context, of, cursor)
  const found = await find({ after, limit: size + 1, fromTheEnd: false })
  const page = found.slice(0, size)
  const last = page.at(-1)
  const nextCursor = found.length > size && last !== undefined ? sealListCursor(context, of, keyOf(last)) : null
  return { items: await present(page), nextCursor }
}
