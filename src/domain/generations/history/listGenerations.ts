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
import { readHistory } from './readHistory.ts'

/** Greater than every identifier, where the list begins: the first of their characters is 7 at most, in any collation. */
const start = 'gen_8'

type Asked = { cursor?: string | undefined; limit: number; detail?: ListDetail | undefined }

/** `resumeAt`: the identifier up to which the history was looked through; null when that was its end. */
export type HistoryPage = { items: PublicGeneration[]; nextCursor: string | null; resumeAt: string | null }

/**
 * How many generations are read and written as answers at once, for one owner and for all. A page of the longest prompts takes a
 * connection for a tenth of a second, and 12 MB until it is written. Without a limit one owner's pages would fill the pool and the memory.
 */
const readBudget = makeFairSemaphore({ perHolder: 50, total: 150 })
/** As long as requests wait for a connection: together with the answer less than five seconds. */
const waitMs = 2000
/** Without the long columns, a row weighs so much less. */
const briefShare = 0.1

/**
 * A page of the owner's generations, newest first, in their public shape. Keyed by identifier: starts in between shift nothing.
 * Status, state and one more filter are looked up, so that a page is full unless it is the last. Where several more narrow the list, a
 * page may be short, even empty, and lead on: it looked as far as one answer may.
 * `limit`: 1 to 50. `detail`: what is read of each; prompt, parameters, metadata and texts are empty where it leaves them out. Refusals:
 * invalid_cursor; service_unavailable while the owner reads too many pages at once. Contract: docs/contract.md#list-the-history.
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
