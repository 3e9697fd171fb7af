import { relative } from 'node:path'
import type { Config } from '../../config/readConfig.ts'
import { openDatabaseClock } from '../../database/databaseClock.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from '../../database/embedded/embeddedPostgres.ts'
import { migrateDatabase } from '../../database/migrations/migrate.ts'
import { requireRollingUpgrade } from '../../database/migrations/requireRollingUpgrade.ts'
import { openListener } from '../../database/pool/listener.ts'
import { type OrmOptions, openOrm } from '../../database/pool/orm.ts'
import { requireSameDatabase } from '../../database/pool/poolerChecks.ts'
import { openReplica } from '../../database/replica/replica.ts'
import type { Services } from '../../domain/context.ts'
import type { MetricsRecorder } from '../../domain/metrics.ts'
import { noticeChannels } from '../../domain/notices.ts'
import { makeReadRouter } from '../../domain/readRouter.ts'
import { entities } from '../../entities/entities.ts'
import { type StartPhases, silentPhases } from './startPhases.ts'

/** The URLs of one database. `direct`: for sessions; `pooled`: `url` may lead to a pooler in transaction mode. */
export type DatabaseUrls = { url: string; direct: string; pooled: boolean; replica: string | undefined }

export type DatabaseOptions = Omit<OrmOptions, 'entities' | 'pooled' | 'measures'> & {
  measures?: MetricsRecorder | undefined
  join?: boolean
  direct?: boolean
  restoring?: boolean
  phases?: StartPhases
}

type Closers = (() => unknown)[]

/** Returns the configured URLs. Starts the embedded database, or with `join` uses a running one; the closers stop it. */
export async function databaseUrlsOf(
  { database }: Config,
  { log, join, direct, phases = silentPhases }: Pick<DatabaseOptions, 'log' | 'join' | 'direct' | 'phases'>,
  closers: Closers,
): Promise<DatabaseUrls> {
  if (database.kind === 'external') {
    const { url, directUrl, replicaUrl } = direct ? { url: database.directUrl ?? database.url } : database
    return { url, direct: directUrl ?? url, pooled: directUrl !== undefined, replica: replicaUrl }
  }
  const { folder } = database
  const embedded = await phases.run({
    name: 'database',
    run: () => (join ? joinEmbeddedPostgres({ folder, log }) : startEmbeddedPostgres({ folder, log })),
    describe: () => `PostgreSQL runs in ${relative('', folder)}`,
  })
  closers.push(() => embedded.stop())
  return { url: embedded.url, direct: embedded.url, pooled: false, replica: undefined }
}

/** Migrates the database and opens the connections of the services. Throws with one line if the start is impossible. */
export async function openDatabase(
  { url, direct, pooled, replica }: DatabaseUrls,
  { log, poolMax, queryTimeoutMilliseconds, measures, slowMilliseconds, restoring = false, phases = silentPhases }: DatabaseOptions,
  closers: Closers,
): Promise<Pick<Services, 'pool' | 'rootEm' | 'entityManagerOn' | 'notices' | 'clock' | 'history'>> {
  if (!restoring) await requireRollingUpgrade(direct, { log })
  await phases.run({
    name: 'tables',
    run: () => migrateDatabase(direct, { log, restoring, beginStep: phases.beginStep }),
    describe: (applied) => (applied === 0 ? 'are up to date' : `${applied} migrations applied`),
  })
  const watched = { log, pooled, measures, slowMilliseconds }
  const { pool, orm, entityManagerOn, close } = await openOrm(url, {
    ...watched,
    entities: [...entities],
    poolMax,
    queryTimeoutMilliseconds,
  })
  closers.push(close)
  if (pooled) await requireSameDatabase(pool, direct)
  const notices = await openListener(direct, { channels: noticeChannels, log })
  closers.push(() => notices.close())
  const clock = await openDatabaseClock(pool, { log })
  closers.push(() => clock.close())
  const copy = replica === undefined ? undefined : openReplica({ ...watched, url: replica, primary: pool, poolMax })
  if (copy) closers.push(() => copy.close())
  return { pool, rootEm: orm.em, entityManagerOn, notices, clock, history: makeReadRouter(copy, { log, measures }) }
}
