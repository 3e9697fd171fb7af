import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config/configError.ts'
import type { ListenerConfig } from '../../config/listeners.ts'
import { loadOrCreateSecretKey } from '../../config/loadOrCreateSecretKey.ts'
import type { Config } from '../../config/readConfig.ts'
import { docUrlsAt } from '../../contract/docUrl.ts'
import { limits } from '../../contract/limits.ts'
import { makeFamilyOverrides } from '../../domain/access/availability/familyOverrides.ts'
import { makeTeamFamilyCache } from '../../domain/access/availability/teamFamilyCache.ts'
import { makeLiveCatalog } from '../../domain/catalog/liveCatalog.ts'
import { type Catalog, loadCatalog } from '../../domain/catalog/loadCatalog.ts'
import type { Log, Services, Settings } from '../../domain/context.ts'
import type { ProcessReport } from '../../domain/processReports.ts'
import { bindSql } from '../../domain/sql.ts'
import { type BreakersOptions, makeBreakers } from '../../domain/vendors/breakers.ts'
import { checkSecrets } from '../../domain/webhooks/subscriptions/checkSecrets.ts'
import { makeInspector } from '../../media/inspector.ts'
import { makeMetrics } from '../../metrics/makeMetrics.ts'
import { type OwnAddresses, ownAddressesOf } from '../../network/ownAddresses.ts'
import { smtpMailer } from '../../network/smtpMailer.ts'
import { makeKeyRing } from '../../secrets/keyRing.ts'
import { makePasswords } from '../../secrets/passwords.ts'
import { instrumentStorage } from '../../storage/instrumentStorage.ts'
import { openStorage } from '../../storage/openStorage.ts'
import type { Storage } from '../../storage/storage.ts'
import { sweepPeriodically } from '../../storage/sweepPeriodically.ts'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import { version } from '../version.ts'
import { type DatabaseUrls, databaseUrlsOf, openDatabase } from './openDatabase.ts'
import { openDataFolder } from './openDataFolder.ts'
import { connectorsOf, loadsOf } from './openVendors.ts'
import { type StartPhases, silentPhases } from './startPhases.ts'

export type OpenedServices = {
  services: Services
  database: DatabaseUrls
  /** Returns the state of this process, for its heartbeat. */
  report(): ProcessReport
  /** Closes everything in reverse order, the embedded database last. */
  close(): Promise<void>
}

/**
 * `queryTimeoutMilliseconds`: the limit of a statement. `join`: use an embedded database that another process runs. `direct`: bypass any
 * pooler and replica. `restoring`: a restore is not finished yet.
 */
export type OpenOptions = {
  log: Log
  publicUrl: string
  listeners: readonly ListenerConfig[]
  poolMax: number
  /** The roles of this process, for its metrics. */
  roles?: readonly string[]
  join?: boolean
  direct?: boolean
  restoring?: boolean
  queryTimeoutMilliseconds?: number
  phases?: StartPhases
}

/**
 * Opens what every role needs: the migrated database, the storage, the catalog, the keys. Throws with one line if the start is impossible.
 */
export async function openServices(config: Config, options: OpenOptions): Promise<OpenedServices> {
  const { phases = silentPhases } = options
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.toReversed())
      await Promise.resolve()
        .then(closer)
        .catch((error: unknown) => options.log.warn({ error }, 'closing failed'))
  }
  try {
    await openDataFolder(config.dataFolder, options.log)
    const loading = phases.run({ name: 'catalog', run: () => catalogOf(config), describe: ({ families }) => `${families.size} families` })
    const [loaded, ways] = await both(loading, databaseUrlsOf(config, options, closers))
    const ring = makeKeyRing([...(config.secretKeys ?? (await loadOrCreateSecretKey(config.secretKeyFile)))])
    const { metrics, watch } = makeMetrics()
    const measured = { ...options, measures: metrics, slowMilliseconds: config.slowStatementMs }
    const database = await openDatabase(ways, measured, closers)
    const storage = instrumentStorage(await storageOf(config), (operation) => metrics.storageFault({ operation }))
    closers.push(() => storage.close())
    const catalog = makeLiveCatalog(loaded, { load: () => catalogOf(config), notices: database.notices, log: options.log })
    closers.push(() => catalog.close())
    const shared = { ...database, sql: bindSql(database.pool), log: options.log, catalog: catalog.current }
    const { temporaryFolder, workersFolder } = await workingFolders(config, closers)
    const inspector = makeInspector({ imagePixelsMax: limits.imagePixelsMax, scratchPath: () => join(workersFolder, temporaryName()) })
    closers.push(() => inspector.close())
    const services: Services = {
      ...database,
      log: options.log,
      metrics,
      storage,
      get catalog() {
        return catalog.current()
      },
      reloadCatalogFiles: catalog.reload,
      inspector,
      ring,
      passwords: makePasswords(),
      ...(await openAvailability(shared, closers)),
      settings: { ...settingsOf(config, options), ownAddresses: await ownAddressesIn(config, options, ways.url), temporaryFolder },
      mailer: mailerOf(config, options),
      docUrls: docUrlsAt(options.publicUrl),
    }
    const secretFault = () => checkSecrets({ ring: services.ring, sql: bindSql(services.pool) })
    const report = watch(services, { version, roles: options.roles ?? [], secretFault })
    return { services, database: ways, report, close }
  } catch (error) {
    await close()
    throw error
  }
}

function mailerOf({ mail }: Config, { publicUrl }: OpenOptions): Services['mailer'] {
  return mail && smtpMailer({ url: mail.url, from: mail.from ?? `atelier@${new URL(publicUrl).hostname}` })
}

function settingsOf(config: Config, { publicUrl }: OpenOptions): Omit<Settings, 'ownAddresses' | 'temporaryFolder'> {
  return {
    publicUrl,
    groupProvider: groupProviderOf(config),
    requestsPerMinute: config.requestsPerMinute,
    requestsInProgress: config.requestsInProgress,
    openGenerationsMax: config.openGenerationsMax,
    unusedFilesMax: config.unusedFilesMax,
    webhookFirstRetrySeconds: config.webhookFirstRetrySeconds,
    webhookAutoPauseDays: config.webhookAutoPauseDays,
    historyRetentionDays: config.historyRetentionDays,
    vendorLoads: loadsOf(config.vendorLoads),
    allowedPrivateAddresses: config.allowedPrivateAddresses,
  }
}

function groupProviderOf({ oidc }: Config): Settings['groupProvider'] {
  return oidc?.groupsClaim === undefined ? undefined : { name: oidc.name, issuer: oidc.issuer, claim: oidc.groupsClaim }
}

/** Opens the in-memory state of which owners may use which families. */
async function openAvailability(
  shared: BreakersOptions,
  closers: (() => unknown)[],
): Promise<Pick<Services, 'familyOverrides' | 'teamFamilies' | 'breakers'>> {
  const familyOverrides = await makeFamilyOverrides(shared)
  closers.push(() => familyOverrides.close())
  const teamFamilies = makeTeamFamilyCache(shared)
  closers.push(() => teamFamilies.close())
  const breakers = await makeBreakers(shared)
  closers.push(() => breakers.close())
  return { familyOverrides, teamFamilies, breakers }
}

/** On the file system of the disk storage, so that files are moved to it, and to inspectors, without a copy. */
async function workingFolders({ dataFolder }: Config, closers: (() => unknown)[]) {
  const folders = { temporaryFolder: join(dataFolder, 'temporary'), workersFolder: join(dataFolder, 'workers') }
  for (const folder of Object.values(folders)) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const sweeping = sweepPeriodically(folder)
    closers.push(() => sweeping.close())
  }
  return folders
}

/** The addresses of the whole deployment, also in a worker, which fetches links that clients gave to other processes. */
function ownAddressesIn(config: Config, { publicUrl, listeners }: OpenOptions, databaseUrl: string): Promise<OwnAddresses> {
  const database = config.database.kind === 'embedded' ? [hostAndPort(databaseUrl)] : []
  const origins = [publicUrl, ...(config.internalUrl === undefined ? [] : [config.internalUrl])]
  const watched = config.monitoringAddress === undefined ? [] : [config.monitoringAddress]
  return ownAddressesOf([...listeners, ...watched, ...database], origins)
}

function hostAndPort(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

/** Runs both to their end; throws the first error. */
async function both<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

function catalogOf({ catalogFolder, rates, vendors }: Config): Promise<Catalog> {
  return loadCatalog(catalogFolder, { rates, connectors: connectorsOf(vendors) })
}

/** Opens the storage at STORAGE_URL. */
export async function storageOf({ storageUrl }: Config): Promise<Storage> {
  try {
    return await openStorage(storageUrl)
  } catch (error) {
    throw new ConfigError(`STORAGE_URL ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
