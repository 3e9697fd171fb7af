import { familyNotFound } from '../../../contract/refusals/familyNotFound.ts'
import { FamilyOverride } from '../../../entities/FamilyOverride.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { overridesNotice } from './familyOverrides.ts'

const notify = statement<never>('notify_catalog', `select pg_notify('${overridesNotice.channel}', '${overridesNotice.subject}')`)

/**
 * Overrides whether a family is available, in every process. `available: true` also resets the breakers of the family and its vendor.
 * Refusals: family_not_found. Contract: docs/contract.md#families-of-a-team.
 */
export async function setFamilyAvailability(
  context: Context,
  { familyId, available }: { familyId: string; available: boolean },
): Promise<void> {
  if (!context.catalog.families.has(familyId)) throw familyNotFound(familyId, context.catalog.families.keys())
  await transaction(context, async (inside) => {
    const before = (await inside.em().findOne(FamilyOverride, { familyId }))?.available ?? null
    await inside.em().upsert(FamilyOverride, { familyId, available, updatedAt: context.clock.now() })
    await recordAudit(inside, { action: 'family.set_for_all', subjectId: familyId, before: { available: before }, after: { available } })
    await inside.sql.one(notify, [])
  })
  await context.familyOverrides.refresh()
  if (available) await context.breakers.reset(context.breakers.breakersOfFamily(familyId))
}
