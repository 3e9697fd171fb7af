import { createHash } from 'node:crypto'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { openToken, sealToken } from '../../../secrets/keyRing.ts'
import type { Context } from '../../context.ts'
import { columnFilters, type HistoryFilter, scannedFilters } from './historyFilter.ts'

/** The owner of a list and its filter. */
type List = { ownerId: string; filter: HistoryFilter }

/** The position at which a page ended, and its list. */
type Cursor = List & { afterId: string }

const purpose = 'history_cursor'

/** Makes the opaque token of a position in a list. It contains the owner and the filter. Contract: docs/contract.md#list-the-history. */
export function sealCursor(context: Context, { ownerId, filter, afterId }: Cursor): string {
  const parts = [ownerId, filter.status ?? '', afterId, ...filterDigest(filter)]
  return sealToken(context.ring, Buffer.from(parts.join('|')), purpose)
}

/** Returns the start of the next page. Refusals: invalid_cursor for a token not issued for this owner and filter. */
export function openCursor(context: Context, token: string, { ownerId, filter }: List): string {
  const [owner, status, afterId, ...narrowed] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  const isOfList = owner === ownerId && status === (filter.status ?? '') && narrowed.join('|') === filterDigest(filter).join('|')
  if (!isOfList || afterId === undefined || !isId('gen', afterId)) throw new Refusal('invalid_cursor')
  return afterId
}

/** The number of scanned filters in 0.2.0. */
const firstScanned = 3

/** A digest of the filter without the status, for the token; an empty list without such a filter. */
function filterDigest(filter: HistoryFilter): string[] {
  const scanned: unknown[] = scannedFilters.map((name) => (name === 'metadata' ? sortedEntries(filter.metadata) : filter[name]))
  // Cursors from before a filter existed have no place for it.
  while (scanned.length > 0 && scanned.at(-1) === null && (scanned.length > firstScanned || isEmpty(scanned))) scanned.pop()
  const values: unknown[] = [filter.state, ...columnFilters.map((name) => filter[name]), ...scanned]
  return isEmpty(values) ? [] : [createHash('sha256').update(JSON.stringify(values)).digest('base64url')]
}

function sortedEntries(metadata: HistoryFilter['metadata']): [name: string, value: string][] | null {
  return metadata && Object.entries(metadata).toSorted(([first], [second]) => (first < second ? -1 : 1))
}

function isEmpty(values: unknown[]): boolean {
  return values.every((value) => value === null)
}
