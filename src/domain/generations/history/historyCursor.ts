import { createHash } from 'node:crypto'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { openToken, sealToken } from '../../../secrets/keyRing.ts'
import type { Context } from '../../context.ts'
import { columnFilters, type HistoryFilter } from './historyFilter.ts'

/** Whose list it is, and what narrows it. */
type List = { ownerId: string; filter: HistoryFilter }

/** Up to where a page has looked, and in which list. */
type Cursor = List & { afterId: string }

const purpose = 'history_cursor'

/** The opaque token of a place in a list; it carries whose list and which filter. Contract: docs/contract.md#list-the-history. */
export function sealCursor(context: Context, { ownerId, filter, afterId }: Cursor): string {
  const parts = [ownerId, filter.status ?? '', afterId, ...filterDigest(filter)]
  return sealToken(context.ring, Buffer.from(parts.join('|')), purpose)
}

/** Where the next page starts. Refusals: invalid_cursor for anything not issued for this owner and filter. */
export function openCursor(context: Context, token: string, { ownerId, filter }: List): string {
  const [owner, status, afterId, ...narrowed] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  const isOfList = owner === ownerId && status === (filter.status ?? '') && narrowed.join('|') === filterDigest(filter).join('|')
  if (!isOfList || afterId === undefined || !isId('gen', afterId)) throw new Refusal('invalid_cursor')
  return afterId
}

/** What narrows the list beside the status, as one word of plain letters whatever it holds; none where nothing does. */
function filterDigest(filter: HistoryFilter): string[] {
  const values = [filter.state, ...columnFilters.map((name) => filter[name])]
  if (values.every((value) => value === null)) return []
  return [createHash('sha256').update(JSON.stringify(values)).digest('base64url')]
}
