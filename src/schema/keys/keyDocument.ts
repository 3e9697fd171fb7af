import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { momentOf } from '../../contract/shapes/credits.ts'
import type { KeyRecord } from '../../contract/shapes/keyRecord.ts'
import { keyAuthorization } from '../../domain/access/keys/keyAuthorization.ts'
import { previousValueEndsAt, stateOfKey } from '../../domain/access/keys/keyState.ts'
import { loadUsers } from '../../domain/access/people/users.ts'
import type { Context } from '../../domain/context.ts'
import { spendTodayOf } from '../../domain/credits/dailyCeiling.ts'
import { spendThisMonthOf } from '../../domain/credits/monthlyCeiling.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'

const ceiling = (limit: number | null) => (limit === null ? null : creditsOf(hundredths(limit)))

/** Keys as REST shows them, in their order. The reads are batched. */
export async function keyDocuments(context: Context, keys: readonly ApiKey[]): Promise<KeyRecord[]> {
  const issuers = await loadUsers(context, [...new Set(keys.map(({ userId }) => userId))])
  const names = new Map(issuers.map(({ id, name }) => [id, name]))
  return await Promise.all(keys.map((key) => keyDocument(context, key, names.get(key.userId) ?? '')))
}

async function keyDocument(context: Context, key: ApiKey, issuer: string): Promise<KeyRecord> {
  const [{ spentToday }, { spentThisMonth }, previousEndsAt] = await Promise.all([
    spendTodayOf(context, key.id),
    spendThisMonthOf(context, { keyId: key.id }),
    workingPreviousEndsAt(context, key),
  ])
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    state: stateOfKey(key, context.clock.now()),
    issuedBy: { id: key.userId, name: issuer },
    dailyLimitCredits: ceiling(key.dailyLimit),
    monthlyLimitCredits: ceiling(key.monthlyLimit),
    singleLimitCredits: ceiling(key.singleLimit),
    confirmAboveCredits: ceiling(key.confirmAbove),
    spentTodayCredits: creditsOf(spentToday),
    spentThisMonthCredits: creditsOf(spentThisMonth),
    heldCredits: creditsOf(hundredths(key.heldOpen)),
    createdAt: momentOf(key.createdAt),
    lastUsedAt: momentOf(key.lastUsedAt),
    expiresAt: momentOf(key.expiresAt),
    revokedAt: momentOf(key.revokedAt),
    previousPrefix: previousEndsAt ? key.previousPrefix : null,
    previousValueEndsAt: momentOf(previousEndsAt),
  }
}

/** When the previous value of a key stops working. Null when it has stopped, or when its holder no longer manages the team. */
export async function workingPreviousEndsAt(context: Context, key: ApiKey): Promise<Date | null> {
  const endsAt = previousValueEndsAt(key, context.clock.now())
  return endsAt !== null && (await keyAuthorization(context, key)).previousHolder ? endsAt : null
}
