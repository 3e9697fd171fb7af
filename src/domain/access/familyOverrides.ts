import { Refusal } from '../../contract/refusals.ts'
import { FamilyOverride } from '../../entities/FamilyOverride.ts'
import type { Context, Log, Notices } from '../context.ts'
import { type Sql, statement } from '../sql.ts'

export type FamilyOverrides = {
  /** The operator's word per family, as last read. */
  current(): ReadonlyMap<string, boolean>
  /** Reads them anew; what was written before the call is in `current` when it resolves. */
  refresh(): Promise<void>
  close(): void
}

const channel = 'catalog'
const subject = 'families'
const refreshSeconds = 5

const readAll = statement<FamilyOverride>('family_overrides', 'select family_id, available, updated_at from family_overrides')
const notify = statement<never>('notify_catalog', `select pg_notify('${channel}', '${subject}')`)

/**
 * Makes a family available or not, whatever its file says, in every process.
 * Refusals: family_not_found. Contract: section 6, setFamilyAvailability.
 */
export async function setFamilyAvailability(
  context: Context,
  { familyId, available }: { familyId: string; available: boolean },
): Promise<void> {
  if (!context.catalog.families.has(familyId)) throw new Refusal('family_not_found', { familyId })
  await context.em().upsert(FamilyOverride, { familyId, available, updatedAt: context.clock.now() })
  await context.sql.one(notify, [])
  await context.familyOverrides.refresh()
}

/**
 * Keeps the overrides in memory: read at once, when somebody changes one, and every few seconds in case that was not heard.
 * Rejects when the first reading fails; later ones keep what was known.
 */
export async function makeFamilyOverrides({ sql, notices, log }: { sql: Sql; notices: Notices; log: Log }): Promise<FamilyOverrides> {
  let known: ReadonlyMap<string, boolean> = new Map()
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined

  async function read(): Promise<void> {
    const rows = await sql.all(readAll, [])
    known = new Map(rows.map(({ familyId, available }) => [familyId, available]))
  }
  /** One reading at a time; a call during one gets the next, since the one under way may have missed what the caller knows of. */
  function refresh(): Promise<void> {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        running = read()
        return running
      })
    return waiting
  }
  const refreshQuietly = () => {
    refresh().catch((error: unknown) => log.warn({ error: String(error) }, 'family overrides could not be read'))
  }

  const unsubscribe = notices.subscribe(channel, subject, refreshQuietly)
  const timer = setInterval(refreshQuietly, refreshSeconds * 1000).unref()
  const close = () => {
    unsubscribe()
    clearInterval(timer)
  }
  try {
    await refresh()
  } catch (error) {
    close()
    throw error
  }
  return { current: () => known, refresh, close }
}
