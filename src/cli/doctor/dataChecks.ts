import { schemaVersion } from '../../database/migrations/migrate.ts'
import { contextFor } from '../../domain/context.ts'
import { checkBooksInSteps } from '../../domain/credits/checkBooks.ts'
import { partitionFaults } from '../../domain/partitions/partitionFaults.ts'
import { checkSecrets, describeSealing } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import type { OpenedServices } from '../boot/openServices.ts'
import { type Check, faultSince } from './check.ts'

/** The checks of the deployment's own data: database, keys, storage, books. */
export function dataChecks(services: OpenedServices['services']): Check[] {
  return [
    {
      name: 'database',
      run: async () => {
        const { applied, needed, current } = await schemaVersion(services.pool)
        if (!current) throw new Error(`is at version ${applied}, this release needs ${needed}`)
        return `answers, at version ${applied}`
      },
    },
    {
      name: 'partitions',
      run: async () => {
        const faults = await partitionFaults(contextFor(services, { kind: 'system' }))
        if (faults.length > 0) throw faultSince(faults)
        return 'the coming ones exist'
      },
    },
    {
      name: 'secrets',
      run: async () => {
        const context = contextFor(services, { kind: 'system' })
        const fault = await checkSecrets(context)
        if (fault !== undefined) throw new Error(`${fault} ${await describeSealing(context)}`)
        return 'SECRET_KEY decrypts the sealed values'
      },
    },
    { name: 'storage', run: async () => services.storage.check().then(() => 'objects can be written, read and removed') },
    {
      name: 'books',
      costly: true,
      run: async (showProgress) => {
        const { clean, faults } = await checkBooksInSteps(services.pool, showProgress)
        if (!clean) throw new Error(faults.join('; '))
        return 'balance'
      },
    },
  ]
}
