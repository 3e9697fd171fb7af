import { isId } from '../../contract/ids.ts'
import { ApiKey } from '../../entities/ApiKey.ts'
import type { Context } from '../context.ts'
import { omitUndefined } from '../omitUndefined.ts'
import { readName } from '../readText.ts'
import { unknownId } from '../unknownId.ts'
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

/** Reads the key as the database has it now. Refusals: invalid_request at `id`. */
export async function requireKey(context: Context, id: string): Promise<ApiKey> {
  const key = isId('key', id) ? await context.em().findOne(ApiKey, { id }, { refresh: true }) : null
  if (!key) throw unknownId('id', 'key')
  return key
}
