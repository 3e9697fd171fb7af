import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { omitUndefined } from '../omitUndefined.ts'
import { readName } from '../readText.ts'
import { requireKey } from './findKey.ts'
import { readLimit } from './issueKey.ts'

export type KeyChange = {
  id: string
  name?: string | null | undefined
  /** Ceilings in credits; `null` takes a ceiling away. */
  dailyLimitCredits?: number | null | undefined
  singleLimitCredits?: number | null | undefined
}

/**
 * Changes what is given of a key. A ceiling lowered below what is already spent or held stops new starts alone.
 * Refusals: invalid_request at `id`, `name` or a ceiling. Spec: API key. Contract: section 6, updateApiKey.
 */
export async function updateKey(context: Context, { id, name, dailyLimitCredits, singleLimitCredits }: KeyChange): Promise<ApiKey> {
  const key = await requireKey(context, id)
  const changes = omitUndefined({
    name: typeof name === 'string' ? readName(name) : undefined,
    dailyLimit: dailyLimitCredits === undefined ? undefined : readLimit(dailyLimitCredits, 'dailyLimitCredits'),
    singleLimit: singleLimitCredits === undefined ? undefined : readLimit(singleLimitCredits, 'singleLimitCredits'),
  })
  if (Object.keys(changes).length === 0) return key
  await context.em().nativeUpdate(ApiKey, { id }, changes)
  return await requireKey(context, id)
}
