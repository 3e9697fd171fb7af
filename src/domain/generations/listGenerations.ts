import type { PublicGeneration } from '../../contract/generation.ts'
import { columnsOf } from '../../database/columnsOf.ts'
import { Generation, type GenerationState, generationStates } from '../../entities/Generation.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { generationColumns } from './generationColumns.ts'
import { type HistoryFilter, type HistoryStatus, openCursor, sealCursor } from './historyCursor.ts'
import { presentGeneration } from './presentGeneration.ts'
import { holderWith } from './resultToken.ts'

const statesOf: Record<HistoryStatus, GenerationState[]> = {
  active: ['queued', 'running', 'finalizing'],
  ready: ['ready'],
  failed: ['failed'],
}

/**
 * Each is a stretch of one index, read backwards, whatever the table holds of others and whatever is known of it: bounds take the place
 * of `owner_id = $1`, under which the order by identifier alone would do, and with it the primary key, which walks everybody's rows; and
 * a limit that the planner cannot see keeps it from fetching and sorting what it takes for a handful.
 */
const all = statement<Generation>(
  'history',
  `select ${generationColumns} from generations where owner_id >= $1 and (owner_id, id) < ($1, $2)
     order by owner_id desc, id desc limit (select $3::integer)`,
)
const byState = statement<Generation>(
  'history_by_state',
  `select ${columnsOf(Generation, 'of_state')} from unnest($4::text[]) as asked (state) cross join lateral (
       select ${generationColumns} from generations where (state, owner_id) >= (asked.state, $1) and (state, owner_id, id) < (asked.state, $1, $2)
         order by state desc, owner_id desc, id desc limit (select $3::integer)) as of_state
     order by of_state.id desc limit $3`,
)
/** By state even where all are asked for, since one index serves both so; its rows have a reference, which comparing rows does not say. */
const byReference = statement<Generation>(
  'history_by_reference',
  `select ${columnsOf(Generation, 'of_state')} from unnest($4::text[]) as asked (state) cross join lateral (
       select ${generationColumns} from generations where reference is not null
           and (reference, state, owner_id) >= ($5, asked.state, $1) and (reference, state, owner_id, id) < ($5, asked.state, $1, $2)
         order by reference desc, state desc, owner_id desc, id desc limit (select $3::integer)) as of_state
     order by of_state.id desc limit $3`,
)

/** Greater than every identifier, where the list begins: the first of their characters is 7 at most, in any collation. */
const start = 'gen_8'

/**
 * A page of the owner's generations, newest first, in their public shape. Keyed by identifier: starts in between shift nothing.
 * `limit`: 1 to 50. Refusals: invalid_cursor. Spec: GET /generations. Contract: section 3, additions.
 */
export async function listGenerations(
  context: Context,
  spender: Spender,
  { cursor, limit, status = null, reference = null }: { cursor?: string | undefined; limit: number } & Partial<HistoryFilter>,
): Promise<{ items: PublicGeneration[]; nextCursor: string | null }> {
  const { ownerId, keyId } = spender
  const holder = holderWith(keyId)
  const afterId = cursor === undefined ? start : openCursor(context, cursor, { ownerId, status, reference })
  const rows = await readRows(context, { status, reference }, [ownerId, afterId, limit + 1])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => presentGeneration(context, row, holder)),
    nextCursor: rows.length > limit && last ? sealCursor(context, { ownerId, status, reference, afterId: last.id }) : null,
  }
}

function readRows({ sql }: Context, { status, reference }: HistoryFilter, page: [ownerId: string, afterId: string, limit: number]) {
  if (reference !== null) return sql.all(byReference, [...page, status === null ? generationStates : statesOf[status], reference])
  return status === null ? sql.all(all, page) : sql.all(byState, [...page, statesOf[status]])
}
