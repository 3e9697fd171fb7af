import { createHash } from 'node:crypto'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import { openToken, sealToken } from '../../secrets/seal.ts'
import type { Context } from '../context.ts'

export const historyStatuses = ['active', 'ready', 'failed'] as const
export type HistoryStatus = (typeof historyStatuses)[number]

/** What narrows a history; null for what does not. */
export type HistoryFilter = { status: HistoryStatus | null; reference: string | null }

/** Where a page ended, and of which list. */
export type Cursor = HistoryFilter & { ownerId: string; afterId: string }

const purpose = 'history_cursor'

/** The opaque token of a place in a list; it carries whose list and which filter. Contract: GET /generations. */
export function sealCursor(context: Context, { ownerId, status, reference, afterId }: Cursor): string {
  const parts = [ownerId, status ?? '', afterId, ...(reference === null ? [] : [digestOf(reference)])]
  return sealToken(context.ring, Buffer.from(parts.join('|')), purpose)
}

/** Where the next page starts. Refusals: invalid_cursor for anything not issued for this owner and filter. */
export function openCursor(context: Context, token: string, list: Omit<Cursor, 'afterId'>): string {
  const [ownerId, status, afterId, digest] = openToken(context.ring, token, purpose)?.toString().split('|') ?? []
  const isOfList =
    ownerId === list.ownerId &&
    status === (list.status ?? '') &&
    digest === (list.reference === null ? undefined : digestOf(list.reference))
  if (!isOfList || afterId === undefined || !isId('gen', afterId)) throw new Refusal('invalid_cursor')
  return afterId
}

/** Of one length and of plain letters, whatever a reference holds. */
function digestOf(reference: string): string {
  return createHash('sha256').update(reference).digest('base64url')
}
