import type { Generation } from '../../../entities/Generation.ts'
import { accountMutex } from '../../accountMutex.ts'
import type { Context } from '../../context.ts'
import { type Ending, endGeneration } from './endGeneration.ts'

const byAccount = accountMutex()

type InTransaction = Parameters<typeof endGeneration>[3]

/** Ends a generation by {@link endGeneration}, after the endings of its account that this process began before. */
export function endSerialized(
  context: Context,
  { id, accountId, ownerId }: Pick<Generation, 'id' | 'accountId' | 'ownerId'>,
  ending: Ending,
  inTransaction?: InTransaction,
): Promise<Generation | undefined> {
  return byAccount(accountId ?? ownerId, () => endGeneration(context, id, ending, inTransaction))
}
