import { makeFairSemaphore } from '../../../concurrency/fairSemaphore.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import type { ListDetail } from '../reading/generationColumns.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { openCursor, sealCursor } from './historyCursor.ts'
import { type HistoryFilter, historyFilterOf } from './historyFilter.ts'
import { countHistory, readHistory } from './readHistory.ts'

/** The start of the list, greater than every identifier: their first character is at most 7, in any collation. */
const start = 'gen_8'

type Asked = { cursor?: string | undefined; limit: number; detail?: ListDetail | undefined }

/** `resumeAt`: the last scanned identifier; null at the end of the history. */
export type HistoryPage = { items: PublicGeneration[]; nextCursor: string | null; resumeAt: string | null }

/**
 * The number of generations that are read for answers at a time, per owner and in total. A page of the longest prompts takes a connection
 * for 0.1 s, and 12 MB until it is sent. Without a limit, pages of one owner could exhaust the pool and the memory.
 */
const readBudget = makeFairSemaphore({ perHolder: 50, total: 150 })
/** The same as the wait for a connection. Together with the answer it is below five seconds. */
const waitMs = 2000
/** What a count takes of the budget: three at a time per owner. */
const countWeight = 15
/** The weight of a row without its long columns. */
const briefShare = 0.1

/**
 * Reads a page of the owner's generations, newest first, in their public shape. Pages are keyed by identifier, so new starts do not shift
 * them. With status, state and one more filter, every page but the last is full. With several more filters a page may be short or empty and
 * still have a next one, since each request scans a bounded number of rows.
 * `limit`: 1 to 50. `detail`: the columns to read; prompt, parameters, metadata and texts are empty without it. Refusals: invalid_cursor;
 * service_unavailable while the owner reads too many pages at once. Contract: docs/contract.md#list-the-history.
 */
export async function listGenerations(
  context: Context,
  { ownerId }: Pick<Spender, 'ownerId'>,
  { cursor, limit, detail = 'whole', ...given }: Asked & Partial<HistoryFilter>,
): Promise<HistoryPage> {
  const filter = historyFilterOf(given)
  const holder = linkHolderOf(context.actor)
  const belowId = cursor === undefined ? start : openCursor(context, cursor, { ownerId, filter })
  const place = { ownerId, belowId, rowsMax: limit + 1, detail }
  const weight = detail === 'brief' ? limit * briefShare : limit
  const { rows, resumeAt } = await withReadBudget(context, { ownerId, weight }, () =>
    context.history.read(context.sql, (sql) => readHistory({ sql }, filter, place)),
  )
  const page = rows.slice(0, limit)
  const afterId = rows.length > limit ? (page.at(-1)?.id ?? null) : resumeAt
  return {
    items: page.map((row) => presentGeneration(context, row, holder)),
    nextCursor: afterId === null ? null : sealCursor(context, { ownerId, filter, afterId }),
    resumeAt: afterId,
  }
}

/**
 * Counts the owner's generations that match, of the newest 20,000, or 2,000 with a search. `isComplete` is false when there are older ones.
 * Refusals: service_unavailable while the owner reads too much at once. Contract: docs/contract.md#count-the-history.
 */
export async function countGenerations(
  context: Context,
  { ownerId }: Pick<Spender, 'ownerId'>,
  filter: HistoryFilter,
): Promise<{ count: number; isComplete: boolean }> {
  return withReadBudget(context, { ownerId, weight: countWeight }, () =>
    context.history.read(context.sql, (sql) => countHistory({ sql }, filter, { ownerId, belowId: start })),
  )
}

async function withReadBudget<Result>(
  { onAnswerWritten }: Context,
  { ownerId, weight }: { ownerId: string; weight: number },
  read: () => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Refusal('service_unavailable', { retryAfterSeconds: 1 })), waitMs)
  const held = await readBudget.acquire(ownerId, weight, late.signal)
  clearTimeout(timer)
  try {
    return await read()
  } finally {
    if (onAnswerWritten) onAnswerWritten(held.release)
    else held.release()
  }
}
