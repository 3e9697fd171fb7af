import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import type { KeyChange } from '../../../contract/shapes/keyInputs.ts'
import { ApiKey } from '../../../entities/ApiKey.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { requireKey } from './findKey.ts'
import { ceilingOf, loggedSettings, readExpiry } from './keySettings.ts'
import { lockManagedKeys, requireObjectOfTeam, requireWithinRights } from './managingKey.ts'
import { mayReceiveKeyValue } from './rotateKey.ts'

/**
 * Changes the given settings of a key. A ceiling below the credits already spent or held stops only new starts. A later or removed
 * `expiresAt` makes an expired key and its links work again; a revoked key never works again. A signed-in person cannot loosen the
 * ceilings, confirmation or expiry of another person's key with the scope `mcp`, because these protect the issuer's personal credits.
 * Refusals: invalid_request at `id`, or at `expiresAt` in the past; access_denied for such loosening, and for rights
 * before or after the change beyond those of the asking key. Locks: the key and the asking key.
 * Contract: docs/contract.md#keys-over-graphql.
 */
export async function updateKey(
  context: Context,
  { id, name, dailyLimitCredits, monthlyLimitCredits, singleLimitCredits, confirmAboveCredits, expiresAt }: KeyChange,
): Promise<ApiKey> {
  const key = await requireKey(context, id)
  requireObjectOfTeam(context, key.teamId)
  const changes = omitUndefined({
    name: name ?? undefined,
    dailyLimit: dailyLimitCredits === undefined ? undefined : ceilingOf(dailyLimitCredits),
    monthlyLimit: monthlyLimitCredits === undefined ? undefined : ceilingOf(monthlyLimitCredits),
    singleLimit: singleLimitCredits === undefined ? undefined : ceilingOf(singleLimitCredits),
    confirmAbove: confirmAboveCredits === undefined ? undefined : ceilingOf(confirmAboveCredits),
    expiresAt: expiresAt === undefined ? undefined : readExpiry(context, expiresAt),
  })
  if (Object.keys(changes).length === 0) return key
  await transaction(context, async (inside) => {
    const own = await lockManagedKeys(inside, [id])
    const before = await requireKey(inside, id)
    requireWithinRights(own, before, 'The key')
    requireWithinRights(own, { ...before, ...changes }, 'The changed key')
    const logged = changesBetween({ name: before.name, ...loggedSettings(before) }, loggedChange(changes), ['name'])
    if (mayReceiveKeyValue(context, key)) await inside.em().nativeUpdate(ApiKey, { id }, changes)
    else await tighten(inside, key, changes)
    if (logged) await recordAudit(inside, { action: 'key.updated', teamId: key.teamId, subjectId: id, ...logged })
  })
  return await requireKey(context, id)
}

function loggedChange({ name, ...settings }: Partial<Guards> & { name?: string }) {
  return omitUndefined({ name, ...loggedSettings(settings) })
}

type Guards = Pick<ApiKey, 'dailyLimit' | 'monthlyLimit' | 'singleLimit' | 'confirmAbove' | 'expiresAt'>

/** Guarded by the settings that were compared, because the issuer may lower a ceiling at the same time. */
async function tighten(context: Context, key: ApiKey, changes: Partial<Guards>): Promise<void> {
  const { id, dailyLimit, monthlyLimit, singleLimit, confirmAbove, expiresAt } = key
  const guards = { dailyLimit, monthlyLimit, singleLimit, confirmAbove, expiresAt }
  if (isLooser(guards, changes)) {
    const message =
      'Over MCP this key spends the personal credits of its issuer. Only the issuer can raise its ceilings, reduce its confirmations or extend its life.'
    throw new Refusal('access_denied', { cause: 'role' }, { message })
  }
  if ((await context.em().nativeUpdate(ApiKey, { id, ...guards }, changes)) > 0) return
  throw invalidRequest({
    in: 'body',
    path: ['id'],
    code: 'conflict',
    message: 'Somebody else changed the key at the same time. Read it again, then change it.',
  })
}

/** An unset guard cannot be loosened. */
function isLooser(present: Guards, changes: Partial<Guards>): boolean {
  return (['dailyLimit', 'monthlyLimit', 'singleLimit', 'confirmAbove', 'expiresAt'] as const).some((name) => {
    const [before, after] = [present[name], changes[name]]
    return after !== undefined && before !== null && (after === null || after > before)
  })
}
