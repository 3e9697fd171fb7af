import type { Log } from '../../../database/log.ts'
import type { FamilyOverride } from '../../../entities/FamilyOverride.ts'
import type { Notices } from '../../notices.ts'
import { makeRefreshingCache, type RefreshingCache } from '../../refreshingCache.ts'
import { type Sql, statement } from '../../sql.ts'

/** The operator's overrides of the availability, by family. */
export type FamilyOverrides = RefreshingCache<ReadonlyMap<string, boolean>>

/** The notification that a change sends to every process. */
export const overridesNotice = { channel: 'catalog', subject: 'families' } as const

const readAll = statement<FamilyOverride>('family_overrides', 'select family_id, available, updated_at from family_overrides')

/** Caches the overrides in memory. Rejects when the first read fails; when a later read fails, the cache keeps its content. */
export async function makeFamilyOverrides({ sql, notices, log }: { sql: Sql; notices: Notices; log: Log }): Promise<FamilyOverrides> {
  const read = async () => new Map((await sql.all(readAll, [])).map(({ familyId, available }) => [familyId, available]))
  return makeRefreshingCache(read, { notices, notice: overridesNotice, name: 'family overrides', log })
}
