import { schemaVersion } from '../../database/migrations/migrate.ts'
import { probeServer } from '../../database/pool/probeServer.ts'
import { contextFor, type Services } from '../../domain/context.ts'
import { checkSecrets } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import type { Readiness } from '../../http/monitoring/health.ts'

/**
 * Ready when the database answers and has the schema of this release, and SECRET_KEY decrypts the secrets that are stored there. A process
 * that was ready stays ready while all connections are in use: its requests wait for a connection and are served. If it were not ready,
 * the other processes would receive its requests in addition to their own.
 */
export function makeReadiness(services: Services): Readiness {
  let wasReady = false
  return async () => {
    try {
      const { current, applied, needed } = await schemaVersion(services.pool)
      if (!current) return { ready: false, faults: [`the database is at version ${applied}, this release needs ${needed}`] }
      const fault = await checkSecrets(contextFor(services, { kind: 'system' }))
      wasReady = fault === undefined
      return fault === undefined ? { ready: true, faults: [] } : { ready: false, faults: [fault] }
    } catch {
      if ((await probeServer(services.pool)) === 'away') return { ready: false, faults: ['the database cannot be reached'] }
      return { ready: wasReady, faults: ['no connection to the database is free'] }
    }
  }
}
