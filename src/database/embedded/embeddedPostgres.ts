import { chmod, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseStartError, FolderInUseError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'
import { createCluster, folderArgument, removeDrafts } from './createCluster.ts'
import { choosePort, parseText, readOrCreatePassword } from './credentials.ts'
import { lockFolder } from './folderLock.ts'
import { postgresAccount } from './postgresAccount.ts'
import { postgresBinaries } from './postgresBinaries.ts'
import { launchPostgres, type PostgresProcess } from './postgresProcess.ts'
import { ensureServiceRole, serviceRole, superuserRole } from './serviceRole.ts'
import { stopOrphanedPostgres } from './stopOrphanedPostgres.ts'

/** Used only at the start, to create the role of the service and to convert clusters of earlier releases. */
export const superuserPasswordFile = 'superuser-password'
const restartPauseMillisecondsMax = 5_000

/** The log omits statements and details, which contain users' texts. Errors arrive over the connections. */
const ownSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  lc_messages: 'C',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Queries and machines are small.
  max_parallel_workers: '0',
}

export type EmbeddedPostgres = {
  /** For the owner of the database, who is not a superuser. Contains the password. */
  url: string
  /** Disconnects all clients, writes everything to disk, and resolves when PostgreSQL has ended and the folder is unlocked. Idempotent. */
  stop: () => Promise<void>
}

/**
 * Runs PostgreSQL in `folder` (created if absent) on the loopback address, until `stop` or the end of this process.
 * Passwords and port are chosen once and stored in the folder, which is private. A port that is in use is replaced, unless `port` fixes it.
 * If PostgreSQL ends by itself, it is started again on the same port. `settings` override the defaults here; `programs` is the folder of
 * other PostgreSQL programs than those of the package.
 * Throws {@link DatabaseStartError}: the folder is in use, unreadable, or of another version; no programs for this platform; no port.
 */
export async function startEmbeddedPostgres(options: {
  folder: string
  settings?: Record<string, string>
  port?: number
  programs?: string | undefined
  log: Log
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const folder = resolve(options.folder)
  const cluster = join(folder, 'cluster')
  await makeFolder(folder, options.programs === undefined ? 0o700 : 0o711)
  const lock = await lockFolder(folder)
  try {
    const account = await postgresAccount(cluster)
    const binaries = await postgresBinaries({ account, ownFolder: folder, programs: options.programs })
    await stopOrphanedPostgres(cluster, log)
    await removeDrafts(folder)
    const version = await parseText(join(cluster, 'PG_VERSION'))
    const password = await readOrCreatePassword(join(folder, 'password'), version !== undefined)
    const superuserPassword = await readOrCreatePassword(join(folder, superuserPasswordFile), false)
    if (version === undefined) {
      log.info({ folder }, 'creating the embedded database')
      const startedAt = performance.now()
      await createCluster({ folder, cluster, binaries, account, userName: superuserRole, password: superuserPassword })
      log.info({ durationSeconds: Math.round(performance.now() - startedAt) / 1000 }, 'embedded database created')
    } else if (version !== String(binaries.major)) {
      throw new DatabaseStartError(
        `${cluster} was created by PostgreSQL ${version}, this is ${binaries.major}: dump it with that version and restore it here`,
      )
    }

    const port = await choosePort(join(folder, 'port'), options.port)
    const settings = { ...ownSettings, ...options.settings, port: String(port) }
    const clusterArgument = folderArgument(cluster, account)
    const launch = (signal: AbortSignal) =>
      launchPostgres({ postgres: binaries.postgres, cluster, clusterArgument, account, settings, log, signal })
    const relaunch = async (signal: AbortSignal) => {
      await stopOrphanedPostgres(cluster, log)
      return launch(signal)
    }
    const running = await launch(new AbortController().signal)
    await ensureServiceRole({ port, password, superuserPassword }).catch(async (error: unknown) => {
      await running.stop()
      throw error
    })
    const supervised = supervise(running, relaunch, log)
    let stopped: Promise<void> | undefined
    return {
      url: urlOf(password, port),
      stop: () => (stopped ??= supervised.stop().finally(() => lock.release())),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Like {@link startEmbeddedPostgres}, but if another process runs PostgreSQL in `folder`, returns its address; `stop` then does not end it.
 * For commands that run beside a service.
 */
export async function joinEmbeddedPostgres(options: { folder: string; log: Log }): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(options)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
    const folder = resolve(options.folder)
    const [password, port] = await Promise.all([parseText(join(folder, 'password')), parseText(join(folder, 'port'))])
    if (password === undefined || port === undefined) throw error
    return { url: urlOf(password.trim(), Number(port)), stop: async () => undefined }
  }
}

function urlOf(password: string, port: number): string {
  return `postgresql://${serviceRole}:${password}@127.0.0.1:${port}/postgres`
}

/** Restarts PostgreSQL whenever it ends by itself, with growing pauses, until stopped. */
function supervise(
  first: PostgresProcess,
  relaunch: (signal: AbortSignal) => Promise<PostgresProcess>,
  log: Log,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let current: PostgresProcess | undefined = first

  async function relaunchWithBackoff(): Promise<PostgresProcess | undefined> {
    for (let pauseMilliseconds = 100; ; pauseMilliseconds = Math.min(pauseMilliseconds * 2, restartPauseMillisecondsMax)) {
      await pause(pauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return undefined
      try {
        return await relaunch(stopping.signal)
      } catch (error) {
        log.error({ reason: (error as Error).message }, 'PostgreSQL could not be restarted')
      }
    }
  }

  const watching = (async () => {
    while (current !== undefined) {
      const reason = await current.ended
      if (stopping.signal.aborted) return
      log.error({ reason }, 'PostgreSQL ended unexpectedly; restarting it')
      current = await relaunchWithBackoff()
      if (stopping.signal.aborted) await current?.stop()
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await current?.stop()
      await watching
    },
  }
}

/** Programs before PostgreSQL 16 (never those of the package) return to their working folder by its path, and need access to it. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode })
    // Earlier releases gave the account of PostgreSQL access.
    await chmod(folder, mode)
  } catch (cause) {
    throw new DatabaseStartError(`the folder ${folder} cannot be created: ${(cause as Error).message}`, { cause })
  }
}
