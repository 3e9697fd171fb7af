import { keyAuthorization } from '../../domain/access/keys/keyAuthorization.ts'
import { previousValueEndsAt } from '../../domain/access/keys/keyState.ts'
import type { Context } from '../../domain/context.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'

/** When the previous value of a key stops working. Null when it has stopped, or when its holder no longer manages the team. */
export async function workingPreviousEndsAt(context: Context, key: ApiKey): Promise<Date | null> {
  const endsAt = previousValueEndsAt(key, context.clock.now())
  return endsAt !== null && (await keyAuthorization(context, key)).previousHolder ? endsAt : null
}
