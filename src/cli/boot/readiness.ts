import { schemaVersion } from '../../database/migrations/migrate.ts'
import { contextFor, type Services } from '../../domain/context.ts'
import { checkSecrets } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import type { Readiness } from '../../http/monitoring/health.ts'

/** Ready when the database answers, has the schema of this release, and SECRET_KEY decrypts its values. */
export function makeReadiness(services: Services): Readiness {
  return async () => {
    try {
      const { current, applied, needed } = await schemaVersion(services.pool)
      if (!current) return { ready: false, faults: [`the database is at version ${applied}, this release needs ${needed}`] }
      const fault = await checkSecrets(contextFor(services, { kind: 'system' }))
      return fault === undefined ? { ready: true, faults: [] } : { ready: false, faults: [fault] }
    } catch {
      return { ready: false, faults: ['the database cannot be reached'] }
    }
  }
}
