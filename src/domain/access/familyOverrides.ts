import type { Log } from '../../database/log.ts'
import type { FamilyOverride } from '../../entities/FamilyOverride.ts'
import type { Notices } from '../notices.ts'
import { type Sql, statement } from '../sql.ts'

export type FamilyOverrides = {
  /** The operator's word per family, as last read. */
  current(): ReadonlyMap<string, boolean>
  /** Reads them anew; what was written before the call is in `current` when it resolves. */
  refresh(): Promise<void>
  close(): void
}

/** Where a change is told to every process. */
export const overridesNotice = { channel: 'catalog', subject: 'families' } as const
const refreshSeconds = 5

const readAll = statement<FamilyOverride>('family_overrides', 'select family_id, available, updated_at from family_overrides')

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

  const unsubscribe = notices.subscribe(overridesNotice.channel, overridesNotice.subject, refreshQuietly)
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
