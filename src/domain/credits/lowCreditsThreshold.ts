import type { Hundredths } from '../../entities/Hundredths.ts'
import { rowLoader } from '../batchLoader.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

type Threshold = { id: string; lowCreditsThreshold: Hundredths | null }

const read = statement<Threshold>('low_credits_thresholds', 'select id, low_credits_threshold from credit_accounts where id = any($1)')

const load = rowLoader(read)

/** The available credits below which the alert `credits.low` is sent; null for none. Reads of several accounts are batched. */
export async function lowCreditsThresholdOf(context: Context, accountId: string): Promise<Hundredths | null> {
  return (await load(context, accountId))?.lowCreditsThreshold ?? null
}
