import type { Log } from '../../../database/log.ts'
import type { FamilyOverride } from '../../../entities/FamilyOverride.ts'
import type { Notices } from '../../notices.ts'
import { makeRefreshingCache, type RefreshingCache } from '../../refreshingCache.ts'
import { type Sql, statement } from '../../sql.ts'

/** The operator's word per family. */
export type FamilyOverrides = RefreshingCache<ReadonlyMap<string, boolean>>

/** Where a change is told to every process. */
export const overridesNotice = { channel: 'catalog', subject: 'families' } as const

const readAll = statement<FamilyOverride>('family_overrides', 'select family_id, available, updated_at from family_overrides')

/** Keeps the overrides in memory. Rejects when the first reading fails; later ones keep what was known. */
export async function makeFamilyOverrides({ sql, notices, log }: { sql: Sql; notices: Notices; log: Log }): Promise<FamilyOverrides> {
  const read = async () => new Map((await sql.all(readAll, [])).map(({ familyId, available }) => [familyId, available]))
  return makeRefreshingCache(read, { notices, notice: overridesNotice, name: 'family overrides', log })
}
