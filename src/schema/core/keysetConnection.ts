import { limits } from '../../contract/limits.ts'
import { invalidRequest, Refusal } from '../../contract/refusals/refusals.ts'
import type { ListWindow } from '../../domain/listWindow.ts'

export type ConnectionArguments = {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
}

export type Connection<Node> = {
  edges: { cursor: string; node: Node }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/** A list that is ordered by a key. `isKey`: whether a text has the form of a key of the list. */
export type KeysetList<Node> = { find(window: ListWindow): Promise<Node[]>; keyOf(node: Node): string; isKey(text: string): boolean }

/**
 * A page of a keyed list as a Relay connection: `first` or `last` up to 50, `defaultItems` without them. The cursor of an entry is its
 * encoded key. Refusals: invalid_request for another page size, invalid_cursor for a cursor without the form of a key of the list.
 */
export async function keysetConnection<Node>(
  args: ConnectionArguments,
  list: KeysetList<Node>,
  defaultItems: number = limits.historyPageItems,
): Promise<Connection<Node>> {
  const size = pageSize(args, defaultItems)
  const after = decodeCursor(args.after, list)
  const before = decodeCursor(args.before, list)
  const fromTheEnd = isAbsent(args.first) && (!isAbsent(args.last) || (before !== undefined && after === undefined))
  const found = await list.find({ after, before, limit: size + 1, fromTheEnd })
  const page = found.slice(0, size)
  if (fromTheEnd) page.reverse()
  const edges = page.map((node) => ({
    node,
    get cursor() {
      return encodeCursor(list.keyOf(node))
    },
  }))
  const isCut = found.length > size
  return {
    edges,
    pageInfo: {
      hasNextPage: fromTheEnd ? before !== undefined : isCut,
      hasPreviousPage: fromTheEnd ? isCut : after !== undefined,
      get startCursor() {
        return edges[0]?.cursor ?? null
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null
      },
    },
  }
}

/** Reads the page size. Refusals: invalid_request at `first` or `last`. */
export function pageSize({ first, last }: ConnectionArguments, defaultItems: number = limits.historyPageItems): number {
  for (const [name, size] of Object.entries({ first, last })) {
    if (isAbsent(size) || (size >= 1 && size <= limits.historyPageItems)) continue
    const code = size < 1 ? 'too_small' : 'too_big'
    throw invalidRequest({ in: 'body', path: [name], code, message: `Takes 1 to ${limits.historyPageItems}.` })
  }
  return first ?? last ?? defaultItems
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

function decodeCursor(cursor: string | null | undefined, list: Pick<KeysetList<never>, 'isKey'>): string | undefined {
  if (isAbsent(cursor)) return undefined
  const key = Buffer.from(cursor, 'base64url').toString()
  if (!list.isKey(key) || encodeCursor(key) !== cursor) throw new Refusal('invalid_cursor')
  return key
}
