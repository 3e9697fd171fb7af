import { parseArgs } from 'node:util'
import { makeDiscovery } from '../../auth/oidcDiscovery.ts'
import { memoizeFor } from '../../concurrency/memoizeFor.ts'
import { listenerOrigin } from '../../config/listeners.ts'
import type { Config } from '../../config/readConfig.ts'
import type { ShowProgress } from '../../database/progress.ts'
import { firstBackupOverdueSince } from '../../domain/backups/firstBackupOverdueSince.ts'
import { contextFor } from '../../domain/context.ts'
import { lastHeartbeat } from '../../domain/lastHeartbeat.ts'
import { readProcessReports } from '../../domain/processReports.ts'
import { readDeployment } from '../../metrics/deploymentGauges.ts'
import type { ProviderRegistry } from '../../providers/registry.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { openProviders } from '../boot/openProviders.ts'
import type { OpenedServices } from '../boot/openServices.ts'
import { databasePlace, embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { beginStep } from '../progress.ts'
import { type Check, type CheckResult, faultOf, resultOf } from './check.ts'
import { dataChecks } from './dataChecks.ts'
import { deploymentChecks } from './deploymentChecks.ts'
import { describeLostObjects } from './doctorObjects.ts'
import { figureChecks } from './figureChecks.ts'
import { groupsClaimCheck } from './groupsClaimCheck.ts'
import { machineChecks } from './machineChecks.ts'
import { documentOf, linesOf } from './printResults.ts'
import { reportChecks } from './reportChecks.ts'
import { startFault } from './startFault.ts'
import { describeProviders, vendorChecks } from './vendorChecks.ts'
import { watchDoctor } from './watchDoctor.ts'

type Report = (result: CheckResult) => void
type Asked = { embedded: boolean; json: boolean; everySeconds: number | undefined }

/** How long all checks of a round share one reading of the metrics. */
const figuresMs = 5_000

export const doctorUsage = `atelier doctor [--json | --watch [--every <seconds>]] [--embedded]

Checks configuration, database, storage, catalog, vendors, processes, backups and the books, and prints a line for each check; for a fault
also since when, what it does to users and what to do next. Exits with 1 on a fault.
Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR. --json prints one document instead of lines.
--watch repeats the checks, every 60 seconds by default, until Ctrl-C; elsewhere than on a terminal it prints only what changes.
See also doctor costs, doctor objects.
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
  const { everySeconds } = asked
  const check = everySeconds === undefined ? runChecks : (checks: Check[]) => watchDoctor(checks, everySeconds)
  return (await checkAll(config, { report: printResult, check })) ? 0 : 1
}

/** Prints one document, also when the settings are wrong. Contract: docs/contract.md#doctor. */
async function doctorJson(asked: Asked): Promise<number> {
  const results: CheckResult[] = []
  let place: { host: string | null; database: string | null } = { host: null, database: null }
  try {
    const config = await readCommandConfig('doctor', asked)
    place = databasePlace(config.database)
    await checkAll(config, { report: (result) => results.push(result), check: runChecks })
  } catch (error) {
    results.push(faultOf(place.host === null ? 'configuration' : 'start', error))
  }
  const ok = results.every((result) => result.ok)
  process.stdout.write(`${JSON.stringify({ ok, ...place, checks: results.map(documentOf) }, null, 2)}\n`)
  return ok ? 0 : 1
}

type Checking = { report: Report; check(checks: Check[], report: Report): Promise<boolean> }

/** Opens the deployment and runs the checks. Returns false on a fault. */
async function checkAll(config: Config, { report, check }: Checking): Promise<boolean> {
  report({ name: 'configuration', ok: true, detail: `listens on ${config.listeners.map(listenerOrigin).join(', ')}` })
  let opened: OpenedServices
  try {
    opened = await openForCommand(config)
  } catch (error) {
    report(startFault(error))
    return false
  }
  const providers = openProviders(opened.services, config.vendors)
  try {
    return await check(checksOf(opened, providers, config), report)
  } finally {
    await providers.close()
    await opened.close()
  }
}

function readArguments(args: string[]): Asked | undefined {
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { json: flag, watch: flag, every: { type: 'string' }, ...embeddedOption } as const
    const { json, watch, every, embedded } = parseArgs({ args, options }).values
    const isFit = every === undefined || (watch && /^[1-9]\d{0,4}$/.test(every))
    if (!isFit || (json && watch)) return undefined
    return { json, embedded, everySeconds: watch ? Number(every ?? 60) : undefined }
  } catch {
    return undefined
  }
}

/** Runs the checks of a restored copy that depend on the backup. Returns false on a fault. */
export async function checkRestored({ services }: OpenedServices): Promise<boolean> {
  const objects = { name: 'objects', run: (showProgress: ShowProgress) => describeLostObjects(services, 'all', showProgress) }
  return runChecks([...dataChecks(services), objects], printResult)
}

/** All checks, in the order in which a fault of one explains those after it. */
function checksOf({ services }: OpenedServices, providers: ProviderRegistry, config: Config): Check[] {
  const { oidc, vendors } = config
  const context = contextFor(services, { kind: 'system' })
  const expectsBackups = config.database.kind === 'external' && config.backupTool === 'atelier'
  const { groupProvider } = services.settings
  const figures = memoizeFor(figuresMs, () => readDeployment(services))
  return [
    ...dataChecks(services),
    ...machineChecks(config),
    ...deploymentChecks(services, config),
    ...figureChecks(services, {
      read: () => figures().answer,
      lastHeartbeat: (role) => lastHeartbeat(services, { role }),
      firstBackupOverdueSince: async () => (expectsBackups ? firstBackupOverdueSince(context) : undefined),
      nowMs: Date.now,
    }),
    ...reportChecks(() => readProcessReports(context)),
    { name: 'objects', run: () => describeLostObjects(services, 'some'), costly: true },
    { name: 'catalog', run: async () => `${services.catalog.families.size} families` },
    { name: 'providers', run: () => describeProviders(services, providers) },
    ...vendorChecks(services, providers, vendors),
    ...(oidc ? [{ name: 'sign-in', run: async () => `${(await makeDiscovery(oidc, services.settings)()).issuer} describes itself` }] : []),
    ...(groupProvider ? [groupsClaimCheck(services, groupProvider)] : []),
  ]
}

async function runChecks(checks: Check[], report: Report): Promise<boolean> {
  let allOk = true
  for (const check of checks) {
    const step = beginStep(`checking ${check.name}`)
    const result = await resultOf(check, step.showProgress)
    step.end()
    report(result)
    allOk &&= result.ok
  }
  return allOk
}

function printResult(result: CheckResult): void {
  process.stdout.write(linesOf(result, new Date()))
}
