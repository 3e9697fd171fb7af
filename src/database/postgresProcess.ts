import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseStartError } from './databaseStartError.ts'
import type { Log } from './log.ts'
import type { Account } from './postgresAccount.ts'

const startSecondsMax = 120
const fastStopMilliseconds = 8_000
const immediateStopMilliseconds = 3_000

/**
 * Keeps PostgreSQL for as long as standard input stays open: closing it, by us or by the system when our process dies, shuts the
 * database down. The keeper waits for it, so that the process number that it signals cannot have passed to another program.
 */
const keeperScript = `
trap '' HUP INT TERM
"$@" </dev/null &
postgres=$!
exec 2>/dev/null
read -r never
kill -INT "$postgres"
wait "$postgres"
`

export type PostgresProcess = {
  /** Resolves when PostgreSQL is gone, for whatever reason, with its last words. */
  ended: Promise<string>
  /** Disconnects all clients, writes everything out, and resolves when PostgreSQL is gone. */
  stop: () => Promise<void>
}

export type PostgresLaunch = {
  postgres: string
  cluster: string
  /** How the account names the cluster, which it may not be able to reach by its path. */
  clusterArgument: string
  account: Account | undefined
  settings: Record<string, string>
  log: Log
  /** Gives up a start that is under way. */
  signal: AbortSignal
}

/**
 * Starts PostgreSQL on an existing cluster and resolves when it takes connections.
 * It runs in a session of its own: a terminal's Ctrl-C reaches us and not the database, which must outlive our shutdown.
 * Throws {@link DatabaseStartError} with PostgreSQL's words when it does not come up.
 */
export async function launchPostgres(launch: PostgresLaunch): Promise<PostgresProcess> {
  const settings = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const keeper = spawn('/bin/sh', ['-c', keeperScript, 'sh', launch.postgres, '-D', launch.clusterArgument, ...settings], {
    ...launch.account,
    cwd: launch.cluster,
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { ready, ended } = follow(keeper, launch.log)
  const running = { ended, stop: () => stop(keeper, ended) }

  const outcome = await Promise.race([ready, ended.then((words) => ({ words })), lateOrGivenUp(launch.signal)])
  if (outcome === 'ready') return running
  await running.stop()
  const reason = typeof outcome === 'string' ? outcome : outcome.words
  throw new DatabaseStartError(`PostgreSQL did not start: ${reason}`)
}

async function lateOrGivenUp(signal: AbortSignal): Promise<string> {
  const late = pause(startSecondsMax * 1_000, `not ready within ${startSecondsMax} s`, { signal, ref: false })
  return late.catch(() => 'it was told to stop')
}

function follow(keeper: ChildProcess, log: Log): { ready: Promise<'ready'>; ended: Promise<string> } {
  const ready = Promise.withResolvers<'ready'>()
  const ended = Promise.withResolvers<string>()
  let lastWords = 'it said nothing'

  // Present by `stdio`; absent only when the spawn failed, which the error below tells.
  const errors: Readable | null = keeper.stderr
  if (errors !== null) {
    createInterface({ input: errors }).on('line', (line) => {
      log.debug({ line }, 'PostgreSQL says')
      if (!line.startsWith('LOG:')) lastWords = line
      if (line.includes('database system is ready to accept connections')) ready.resolve('ready')
    })
    // PostgreSQL and all its children have let go of it: the keeper may go too.
    errors.on('end', () => keeper.stdin?.end())
  }
  keeper.stdin?.on('error', () => undefined)
  keeper.on('error', (error) => ended.resolve(error.message))
  keeper.on('close', () => ended.resolve(lastWords))
  return { ready: ready.promise, ended: ended.promise }
}

async function stop(keeper: ChildProcess, ended: Promise<string>): Promise<void> {
  keeper.stdin?.end()
  if (await within(fastStopMilliseconds, ended)) return
  signalSession(keeper, 'SIGQUIT')
  if (await within(immediateStopMilliseconds, ended)) return
  signalSession(keeper, 'SIGKILL')
  await ended
}

function signalSession(keeper: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (keeper.pid !== undefined) process.kill(-keeper.pid, signal)
  } catch {
    // Gone meanwhile.
  }
}

async function within(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = pause(milliseconds, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([event.then(() => true), late])
  timer.abort()
  return inTime
}
