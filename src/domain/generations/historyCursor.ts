import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import { openToken, sealToken } from '../../secrets/seal.ts'
import type { Context } from '../context.ts'

export const historyStatuses = ['active', 'ready', 'failed'] as const
export type HistoryStatus = (typeof historyStatuses)[number]

/** Where a page ended, and of which list. */
export type Cursor = { ownerId: string; status: HistoryStatus | null; afterId: string }

const purpose = 'history_cursor'

/** The opaque token of a place in a list; it carries whose list and which filter. Contract: GET /generations. */
export function sealCursor(context: Context, { ownerId, status, afterId }: Cursor): string {
  return sealToken(context.ring, Buffer.from([ownerId, status ?? '', afterId].join('|')), purpose)
}

/** Where the next page starts. Refusals: invalid_cursor for anything not issued for this owner and filter. */
export function openCursor(context: Context, token: string, list: Omit<Cursor, 'afterId'>): string {
  const [ownerId, status, afterId] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  if (ownerId !== list.ownerId || status !== (list.status ?? '') || afterId === undefined || !isId('gen', afterId)) {
    throw new Refusal('invalid_cursor')
  }
  return afterId
}
