import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { omitUndefined } from '../omitUndefined.ts'
import { readName } from '../readText.ts'
import { requireKey } from './findKey.ts'
import { readExpiry, readLimit } from './keySettings.ts'

export type KeyChange = {
  id: string
  name?: string | null | undefined
  /** Ceilings in credits; `null` takes a ceiling away. */
  dailyLimitCredits?: number | null | undefined
  singleLimitCredits?: number | null | undefined
  /** `null` has nobody asked any more. */
  confirmAboveCredits?: number | null | undefined
  /** `null` takes the end away. */
  expiresAt?: Date | null | undefined
}

/**
 * Changes what is given of a key. A ceiling lowered below what is already spent or held stops new starts alone. A key that has expired
 * works again, and its links with it, once its end is later or taken away; one that was revoked never does, whatever is changed.
 * Refusals: invalid_request at `id`, `name`, a ceiling, or `expiresAt` in the past. Spec: API key. Contract: section 6, updateApiKey.
 */
export async function updateKey(
  context: Context,
  { id, name, dailyLimitCredits, singleLimitCredits, confirmAboveCredits, expiresAt }: KeyChange,
): Promise<ApiKey> {
  const key = await requireKey(context, id)
  const changes = omitUndefined({
    name: typeof name === 'string' ? readName(name) : undefined,
    dailyLimit: dailyLimitCredits === undefined ? undefined : readLimit(dailyLimitCredits, 'dailyLimitCredits'),
    singleLimit: singleLimitCredits === undefined ? undefined : readLimit(singleLimitCredits, 'singleLimitCredits'),
    confirmAbove: confirmAboveCredits === undefined ? undefined : readLimit(confirmAboveCredits, 'confirmAboveCredits'),
    expiresAt: expiresAt === undefined ? undefined : readExpiry(context, expiresAt),
  })
  if (Object.keys(changes).length === 0) return key
  await context.em().nativeUpdate(ApiKey, { id }, changes)
  return await requireKey(context, id)
}
