import type { Generation } from '../../entities/Generation.ts'
import { accountMutex } from '../accountMutex.ts'
import type { Context } from '../context.ts'
import { type Ending, endGeneration } from './endGeneration.ts'

const inTurn = accountMutex()

type Alongside = Parameters<typeof endGeneration>[3]

/** Ends a generation by {@link endGeneration}, after the endings of its account that this process began before. */
export function endInTurn(
  context: Context,
  { id, accountId, ownerId }: Pick<Generation, 'id' | 'accountId' | 'ownerId'>,
  ending: Ending,
  alongside?: Alongside,
): Promise<Generation | undefined> {
  return inTurn(accountId ?? ownerId, () => endGeneration(context, id, ending, alongside))
}
