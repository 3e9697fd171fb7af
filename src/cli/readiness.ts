import { schemaVersion } from '../database/migrate.ts'
import type { Services } from '../domain/context.ts'
import type { Readiness } from '../http/health.ts'

/** Ready when the database answers and has the tables that this release needs. */
export function makeReadiness({ pool }: Services): Readiness {
  return async () => {
    try {
      const { current, applied, needed } = await schemaVersion(pool)
      return current ? { ready: true, faults: [] } : { ready: false, faults: [`the database is at version ${applied}, this release needs ${needed}`] }
    } catch {
      return { ready: false, faults: ['the database cannot be reached'] }
    }
  }
}
