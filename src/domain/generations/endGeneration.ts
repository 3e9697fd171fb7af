import type { Failure } from '../../contract/failures.ts'
import type { Generation, GenerationResult, GenerationState } from '../../entities/Generation.ts'
import { type Context, transaction } from '../context.ts'
import { enqueue } from '../queue.ts'
import { statement } from '../sql.ts'
import { utcDay } from '../utcDay.ts'
import { recordEvent } from '../webhooks/recordEvent.ts'
import { generationColumns } from './generationColumns.ts'
import { presentGeneration } from './presentGeneration.ts'
import { holderWith } from './resultToken.ts'

/** How a generation ends. `fence`: of the job that speaks; a cancel and the reconciler have none. */
export type Ending = { from: GenerationState[]; fence?: number } & (
  | { to: 'ready'; result: GenerationResult }
  | { to: 'failed'; failure: Failure }
  | { to: 'cancelled'; charge: boolean }
)

const endRow = statement<Generation>(
  'end_generation',
  `select ${generationColumns} from end_generation($1, $2::text[], $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9::date)`,
)

/**
 * The one way in which a generation ends: state, settlement, ledger and notices of one transaction, by compare-and-set.
 * A ready one is charged the price held, a failed one nothing, a cancelled one as the caller says. Returns the ended row,
 * `undefined` when another move was first. Locks: generation, account, key, webhook subscriptions. Spec: States and transitions.
 */
export async function endGeneration(context: Context, id: string, ending: Ending): Promise<Generation | undefined> {
  return transaction(context, async (inside) => {
    const now = context.clock.now()
    const row = await inside.sql.one(endRow, [
      id,
      ending.from,
      ending.to,
      ending.fence ?? null,
      ending.to === 'ready' || (ending.to === 'cancelled' && ending.charge),
      ending.to === 'ready' ? JSON.stringify(ending.result) : null,
      ending.to === 'failed' ? JSON.stringify(ending.failure) : null,
      now,
      utcDay(now),
    ])
    if (!row) return undefined
    if (ending.to === 'cancelled' && ending.charge) await enqueue(inside, 'cancelAtProvider', { generationId: id })
    await recordEvent(inside, row, () => presentGeneration(inside, row, holderWith(row.keyId)))
    return row
  })
}
