import type { Generation } from '../../../entities/Generation.ts'
import { accountMutex } from '../../accountMutex.ts'
import type { Context } from '../../context.ts'
import { type Ending, endGeneration } from './endGeneration.ts'

/** Serialises the ends of one account in this process. */
export const byAccount = accountMutex()

type InTransaction = Parameters<typeof endGeneration>[3]

/** Ends a generation by {@link endGeneration}. This process ends generations of one account one after the other. */
export function endSerialized(
  context: Context,
  { id, accountId, ownerId }: Pick<Generation, 'id' | 'accountId' | 'ownerId'>,
  ending: Ending,
  inTransaction?: InTransaction,
): Promise<Generation | undefined> {
  return byAccount(accountId ?? ownerId, () => endGeneration(context, id, ending, inTransaction))
}
