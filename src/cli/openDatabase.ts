import type { Config } from '../config/readConfig.ts'
import { openDatabaseClock } from '../database/databaseClock.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from '../database/embeddedPostgres.ts'
import { openListener } from '../database/listen.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { type OrmOptions, openOrm } from '../database/orm.ts'
import { refuseOtherDatabase } from '../database/pooler.ts'
import { openReplica } from '../database/replica.ts'
import type { Services } from '../domain/context.ts'
import { historyOn } from '../domain/history.ts'
import type { Measures } from '../domain/metrics.ts'
import { noticeChannels } from '../domain/notices.ts'
import { entities } from '../entities/entities.ts'

/** The ways to one database. `direct`: for what needs a session; `pooled`: a pooler in transaction mode may stand before `url`. */
export type DatabaseWays = { url: string; direct: string; pooled: boolean; replica: string | undefined }

export type DatabaseOptions = Omit<OrmOptions, 'entities' | 'pooled' | 'measures'> & {
  measures?: Measures | undefined
  join?: boolean
  direct?: boolean
  restoring?: boolean
}

type Closers = (() => unknown)[]

/** The ways of the configuration; a database of our own is started, or with `join` found running, and stops with the closers. */
export async function databaseWaysOf(
  { database }: Config,
  { log, join, direct }: Pick<DatabaseOptions, 'log' | 'join' | 'direct'>,
  closers: Closers,
): Promise<DatabaseWays> {
  if (database.kind === 'external') {
    const { url, directUrl, replicaUrl } = direct ? { url: database.directUrl ?? database.url } : database
    return { url, direct: directUrl ?? url, pooled: directUrl !== undefined, replica: replicaUrl }
  }
  const { folder } = database
  const embedded = await (join ? joinEmbeddedPostgres({ folder, log }) : startEmbeddedPostgres({ folder, log }))
  closers.push(() => embedded.stop())
  return { url: embedded.url, direct: embedded.url, pooled: false, replica: undefined }
}

/** Brings the database up to date and opens what the services read and write it by. Throws in one line what stops a start. */
export async function openDatabase(
  { url, direct, pooled, replica }: DatabaseWays,
  { log, poolMax, answerMilliseconds, measures, slowMilliseconds, restoring = false }: DatabaseOptions,
  closers: Closers,
): Promise<Pick<Services, 'pool' | 'rootEm' | 'emOn' | 'notices' | 'clock' | 'history'>> {
  await migrateDatabase(direct, { log, restoring })
  const watched = { log, pooled, measures, slowMilliseconds }
  const { pool, orm, emOn, close } = await openOrm(url, { ...watched, entities: [...entities], poolMax, answerMilliseconds })
  closers.push(close)
  if (pooled) await refuseOtherDatabase(pool, direct)
  const notices = await openListener(direct, { channels: noticeChannels, log })
  closers.push(() => notices.close())
  const clock = await openDatabaseClock(pool, { log })
  closers.push(() => clock.close())
  const copy = replica === undefined ? undefined : openReplica({ ...watched, url: replica, primary: pool, poolMax })
  if (copy) closers.push(() => copy.close())
  return { pool, rootEm: orm.em, emOn, notices, clock, history: historyOn(copy, { log, measures }) }
}
