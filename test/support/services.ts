import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { docUrlsAt } from '../../src/contract/docUrl.ts'
import { limits } from '../../src/contract/limits.ts'
import { openDatabaseClock } from '../../src/database/databaseClock.ts'
import { openListener } from '../../src/database/pool/listener.ts'
import { openOrm } from '../../src/database/pool/orm.ts'
import { defaultTimeouts } from '../../src/database/pool/pool.ts'
import { makeFamilyOverrides } from '../../src/domain/access/availability/familyOverrides.ts'
import { makeTeamFamilyCache } from '../../src/domain/access/availability/teamFamilyCache.ts'
import { makeLiveCatalog } from '../../src/domain/catalog/liveCatalog.ts'
import { type Catalog, loadCatalog } from '../../src/domain/catalog/loadCatalog.ts'
import type { Log, Services, Settings } from '../../src/domain/context.ts'
import { noticeChannels } from '../../src/domain/notices.ts'
import { makeReadRouter } from '../../src/domain/readRouter.ts'
import { bindSql } from '../../src/domain/sql.ts'
import { makeBreakers } from '../../src/domain/vendors/breakers.ts'
import { entities } from '../../src/entities/entities.ts'
import { makeMetrics } from '../../src/metrics/makeMetrics.ts'
import { makeKeyRing } from '../../src/secrets/keyRing.ts'
import { makePasswords, type Passwords } from '../../src/secrets/passwords.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import { type TestClock, testClock } from './clock.ts'
import { databaseUrls, limitLockWaits, testDatabase } from './database/database.ts'
import { sharedInspector } from './media/sharedWorkers.ts'
import { memoryFolder } from './processes/memoryFolder.ts'

export type TestServices = {
  services: Services
  clock: TestClock
  databaseUrl: string
  /** The log, oldest line first. */
  logged: { level: keyof Log; message: string; fields: object }[]
  close(): Promise<void>
}

/** Slow statements and waits for a connection must not fail tests on a busy machine. */
const testTimeoutMs = 60_000
/** For tests of the time limits themselves. */
export const productionTimeouts = {
  queryTimeoutMilliseconds: defaultTimeouts.queryMilliseconds,
  connectTimeoutMilliseconds: defaultTimeouts.connectMilliseconds,
}
/** Two thousandths of the cost in production. */
export const cheapPasswords = makePasswords({ logN: 6, r: 8, p: 1 })
const catalogFolder = join(import.meta.dirname, '..', '..', 'catalog', 'sandbox')
/** Compiling its schemas was a sixth of the start of an app. Catalogs are immutable, so the files of a process share it. */
let sandboxCatalog: Promise<Catalog> | undefined

/**
 * The real services of one process, with its own database, a controlled clock, a temporary storage folder, and the catalog of
 * the sandbox (or of `catalogFolder`). `clock: 'database'` uses real time. Several services with one `databaseUrl` act as several processes.
 */
export async function testServices(
  options: {
    databaseUrl?: string
    clock?: TestClock | 'database'
    catalogFolder?: string
    settings?: Partial<Settings>
    poolMax?: number
    /** Statement timeout; default {@link testTimeoutMs}. */
    queryTimeoutMilliseconds?: number
    /** How long a statement waits for a connection; default {@link testTimeoutMs}. */
    connectTimeoutMilliseconds?: number
    /** How long statements wait for locks. */
    lockMilliseconds?: number
    secretKey?: Buffer
    history?: Services['history']
    passwords?: Passwords
  } = {},
): Promise<TestServices> {
  const closers: (() => unknown)[] = []
  const logged: TestServices['logged'] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const log = recordingLog(logged)
    const folder = await mkdtemp(join(memoryFolder(), 'atelier-services-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const { metrics, watch } = makeMetrics()
    const databaseUrl = options.databaseUrl ?? (await ownDatabase(closers))
    if (options.lockMilliseconds !== undefined) await limitLockWaits(databaseUrl, options.lockMilliseconds)
    const { url, pooled } = databaseUrls(databaseUrl)
    const { poolMax = 10, queryTimeoutMilliseconds = testTimeoutMs, connectTimeoutMilliseconds = testTimeoutMs } = options
    const pool = {
      poolMax,
      queryTimeoutMilliseconds,
      connectTimeoutMilliseconds,
      slowMilliseconds: testTimeoutMs,
      log,
      measures: metrics,
      pooled,
    }
    const database = await openOrm(url, { entities: [...entities], ...pool })
    closers.push(() => database.close())
    const clock = options.clock === 'database' ? await runningClock(database.pool, log, closers) : (options.clock ?? testClock())
    await clock.giveTo(databaseUrl)
    const notices = await openListener(databaseUrl, { channels: noticeChannels, log })
    closers.push(() => notices.close())
    const storage = diskStorage({ folder: join(folder, 'storage') })
    closers.push(() => storage.close())
    const inspector = sharedInspector()
    const familyOverrides = await makeFamilyOverrides({ sql: bindSql(database.pool), notices, log })
    closers.push(() => familyOverrides.close())
    const teamFamilies = makeTeamFamilyCache({ sql: bindSql(database.pool), notices })
    closers.push(() => teamFamilies.close())
    const load = () => loadCatalog(options.catalogFolder ?? catalogFolder)
    const first = options.catalogFolder === undefined ? await (sandboxCatalog ??= load()) : await load()
    const catalog = makeLiveCatalog(first, { load, notices, log })
    closers.push(() => catalog.close())
    const breakers = await makeBreakers({ sql: bindSql(database.pool), notices, log, clock, catalog: catalog.current })
    closers.push(() => breakers.close())
    const ring = makeKeyRing([options.secretKey ?? randomBytes(32)])
    const settings = { ...defaultSettings, temporaryFolder: join(folder, 'temporary'), ...options.settings }
    await mkdir(settings.temporaryFolder, { recursive: true })
    const docUrls = docUrlsAt(settings.publicUrl)
    const history = options.history ?? makeReadRouter(undefined, { log })
    const own = {
      clock,
      log,
      metrics,
      storage,
      inspector,
      notices,
      familyOverrides,
      teamFamilies,
      breakers,
      reloadCatalogFiles: catalog.reload,
      ring,
      passwords: options.passwords ?? cheapPasswords,
      settings,
      docUrls,
      history,
    }
    const services = {
      ...own,
      pool: database.pool,
      rootEm: database.orm.em,
      entityManagerOn: database.entityManagerOn,
      get catalog() {
        return catalog.current()
      },
    }
    watch(services, { version: '0.0.0', roles: ['http', 'worker'], secretFault: async () => undefined })
    return { services, clock, databaseUrl, logged, close }
  } catch (error) {
    await close()
    throw error
  }
}

const defaultSettings = {
  publicUrl: 'http://atelier.test',
  requestsPerMinute: 600,
  requestsInProgress: 32,
  openGenerationsMax: 1_000_000,
  unusedFilesMax: { bytes: limits.unusedFilesBytes, files: limits.unusedFiles },
  webhookFirstRetrySeconds: 10,
  webhookAutoPauseDays: 5,
  historyRetentionDays: undefined,
  vendorLoads: new Map(),
  allowedPrivateAddresses: [],
  ownAddresses: { listeners: [], names: [] },
}

async function runningClock(pool: Services['pool'], log: Log, closers: (() => unknown)[]): Promise<TestClock> {
  const { now, close } = await openDatabaseClock(pool, { log, everyMs: 50 })
  closers.push(close)
  const refuse = () => Promise.reject(new Error('only a clock that stands can be set'))
  return { now, set: refuse, advance: refuse, giveTo: async () => undefined }
}

async function ownDatabase(closers: (() => unknown)[]): Promise<string> {
  const database = await testDatabase()
  closers.push(() => database.drop())
  return database.url
}

function recordingLog(logged: TestServices['logged']): Log {
  const record = (level: keyof Log) => (fields: object, message: string) => void logged.push({ level, message, fields })
  return { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') }
}
