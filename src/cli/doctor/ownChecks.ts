import { schemaVersion } from '../../database/migrations/migrate.ts'
import { contextFor } from '../../domain/context.ts'
import { checkBooks } from '../../domain/credits/checkBooks.ts'
import { partitionFaults } from '../../domain/partitions/partitionFaults.ts'
import { checkSecrets } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import { openProviderCall } from '../../jobs/steps/openProviderCall.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import type { OpenedServices } from '../boot/openServices.ts'
import type { Check } from './check.ts'

/** The checks of the deployment's own data: database, keys, storage, books. */
export function ownChecks(services: OpenedServices['services']): Check[] {
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
        if (faults.length > 0) throw new Error(faults.join('; '))
        return 'the coming ones exist'
      },
    },
    {
      name: 'secrets',
      run: async () => {
        const fault = await checkSecrets(contextFor(services, { kind: 'system' }))
        if (fault !== undefined) throw new Error(fault)
        return 'SECRET_KEY decrypts the sealed values'
      },
    },
    { name: 'storage', run: async () => services.storage.check().then(() => 'objects can be written, read and removed') },
    {
      name: 'books',
      costly: true,
      run: async () => {
        const { clean, faults } = await checkBooks(contextFor(services, { kind: 'system' }))
        if (!clean) throw new Error(faults.join('; '))
        return 'balance'
      },
    },
  ]
}

/** Checks that every variant has a provider, and that the providers without an account are healthy. */
export async function describeProviders({ catalog, clock, log }: OpenedServices['services'], providers: ProviderRegistry): Promise<string> {
  const missing = [...catalog.families.values()].flatMap((family) =>
    family.variants
      .filter((variant) => !providers.get(variant.provider.id))
      .map((variant) => `${variant.modelId} needs ${variant.provider.id}`),
  )
  if (missing.length > 0) throw new Error(missing.join('; '))
  const own = providers.list().filter(({ simulated }) => simulated)
  for (const provider of own) {
    if (!provider.health) continue
    using call = openProviderCall(provider, 'health', { clock, log })
    const { ok, message } = await call.awaitAnswer(provider.health(call.context))
    if (!ok) throw new Error(`${provider.id}: ${message ?? 'not well'}`)
  }
  return `every model has its own; ${own.map(({ id }) => id).join(', ')} well`
}
