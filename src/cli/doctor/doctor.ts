import { parseArgs } from 'node:util'
import { makeDiscovery } from '../../auth/oidcDiscovery.ts'
import { listenerOrigin } from '../../config/listeners.ts'
import type { Config } from '../../config/readConfig.ts'
import { schemaVersion } from '../../database/migrations/migrate.ts'
import { contextFor } from '../../domain/context.ts'
import { checkBooks } from '../../domain/credits/checkBooks.ts'
import { partitionFaults } from '../../domain/partitions/partitionFaults.ts'
import { checkSecrets } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import { openProviderCall } from '../../jobs/steps/openProviderCall.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { openProviders } from '../boot/openProviders.ts'
import type { OpenedServices } from '../boot/openServices.ts'
import { databasePlace, embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { deploymentChecks } from './deploymentChecks.ts'
import { describeLostObjects } from './doctorObjects.ts'
import { vendorChecks } from './vendorChecks.ts'

type Check = { name: string; run(): Promise<string> }
type CheckResult = { name: string; ok: boolean; detail: string }
type Report = (result: CheckResult) => void
type Asked = { embedded: boolean; json: boolean }

export const doctorUsage = `atelier doctor [--json] [--embedded]

Checks configuration, database, storage, catalog, vendors and the books, and prints a line for each check; exits with 1 on a fault.
Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR. --json prints one document instead of lines. See also doctor costs, doctor objects.
`

/** Checks everything that the service depends on and prints a line for each check; returns 1 on a fault, 2 for wrong arguments. */
export async function doctor(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(doctorUsage)
    return 2
  }
  if (asked.json) return doctorJson(asked)
  const config = await readCommandConfig('doctor', asked)
  printDatabase(config)
  return (await checkAll(config, printResult)) ? 0 : 1
}

/** Prints one document, also when the settings are wrong. Contract: docs/contract.md#doctor. */
async function doctorJson(asked: Asked): Promise<number> {
  const checks: CheckResult[] = []
  let place: { host: string | null; database: string | null } = { host: null, database: null }
  try {
    const config = await readCommandConfig('doctor', asked)
    place = databasePlace(config.database)
    await checkAll(config, (result) => checks.push(result))
  } catch (error) {
    checks.push(faultOf(place.host === null ? 'configuration' : 'start', error))
  }
  const ok = checks.every((check) => check.ok)
  process.stdout.write(`${JSON.stringify({ ok, ...place, checks }, null, 2)}\n`)
  return ok ? 0 : 1
}

/** Runs the checks in order and reports each. Returns false on a fault. */
async function checkAll(config: Config, report: Report): Promise<boolean> {
  report({ name: 'configuration', ok: true, detail: `listens on ${config.listeners.map(listenerOrigin).join(', ')}` })
  let opened: OpenedServices
  try {
    opened = await openForCommand(config)
  } catch (error) {
    report(faultOf('start', error))
    return false
  }
  const providers = openProviders(opened.services, config.vendors)
  try {
    return await runChecks(checksOf(opened, providers, config), report)
  } finally {
    await providers.close()
    await opened.close()
  }
}

function readArguments(args: string[]): Asked | undefined {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean', default: false }, ...embeddedOption } }).values
  } catch {
    return undefined
  }
}

/** Runs the checks of a restored copy that depend on the backup. Returns false on a fault. */
export async function checkRestored({ services }: OpenedServices): Promise<boolean> {
  const objects = { name: 'objects', run: () => describeLostObjects(services, 'all') }
  return runChecks([...ownChecks(services), objects], printResult)
}

function checksOf({ services }: OpenedServices, providers: ProviderRegistry, config: Config): Check[] {
  const { oidc, vendors } = config
  return [
    ...ownChecks(services),
    ...deploymentChecks(services, config),
    { name: 'objects', run: () => describeLostObjects(services, 'some') },
    { name: 'catalog', run: async () => `${services.catalog.families.size} families` },
    { name: 'providers', run: () => providersOf(services, providers) },
    ...vendorChecks(services, providers, vendors),
    ...(oidc ? [{ name: 'sign-in', run: async () => `${(await makeDiscovery(oidc, services.settings)()).issuer} describes itself` }] : []),
  ]
}

/** The checks of the deployment's own data: database, keys, storage, books. */
function ownChecks(services: OpenedServices['services']): Check[] {
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
      run: async () => {
        const { clean, faults } = await checkBooks(contextFor(services, { kind: 'system' }))
        if (!clean) throw new Error(faults.join('; '))
        return 'balance'
      },
    },
  ]
}

/** Checks that every variant has a provider, and that the providers without an account are healthy. */
async function providersOf({ catalog, clock, log }: OpenedServices['services'], providers: ProviderRegistry): Promise<string> {
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

async function runChecks(checks: Check[], report: Report): Promise<boolean> {
  let allOk = true
  for (const { name, run } of checks) {
    const result = await run().then(
      (detail) => ({ name, ok: true, detail }),
      (error: unknown) => faultOf(name, error),
    )
    report(result)
    allOk &&= result.ok
  }
  return allOk
}

function faultOf(name: string, error: unknown): CheckResult {
  return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
}

function printResult({ name, ok, detail }: CheckResult): void {
  process.stdout.write(`${ok ? 'ok   ' : 'FAULT'} ${name}: ${detail}\n`)
}
