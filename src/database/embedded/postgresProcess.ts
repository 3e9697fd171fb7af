import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'
import type { Account } from './postgresAccount.ts'

const startSecondsMax = 120
const fastStopMilliseconds = 8_000
const immediateStopMilliseconds = 3_000

/**
 * Runs PostgreSQL until standard input closes. This process closes it, or the system does when this process ends. The supervisor waits for
 * PostgreSQL, so the process id that it signals cannot belong to another program.
 */
const supervisorScript = `
trap '' HUP INT TERM
"$@" </dev/null &
postgres=$!
exec 2>/dev/null
read -r never
kill -INT "$postgres"
wait "$postgres"
`

export type PostgresProcess = {
  /** Resolves when PostgreSQL has ended, for any reason, with its last log line. */
  ended: Promise<string>
  /** Disconnects all clients, writes everything to disk, and resolves when PostgreSQL has ended. */
  stop: () => Promise<void>
}

export type PostgresLaunch = {
  postgres: string
  cluster: string
  /** The argument by which the account opens the cluster, which its path may not allow. */
  clusterArgument: string
  account: Account | undefined
  settings: Record<string, string>
  log: Log
  /** Aborts a start. */
  signal: AbortSignal
}

/**
 * Starts PostgreSQL on an existing cluster and resolves when it accepts connections. It has its own session, so that Ctrl-C in a terminal
 * does not end it before this process. Throws {@link DatabaseStartError} with PostgreSQL's output if it does not start.
 */
export async function launchPostgres(launch: PostgresLaunch): Promise<PostgresProcess> {
  const settings = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const supervisor = spawn('/bin/sh', ['-c', supervisorScript, 'sh', launch.postgres, '-D', launch.clusterArgument, ...settings], {
    ...launch.account,
    cwd: launch.cluster,
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { ready, ended } = follow(supervisor, launch.log)
  const running = { ended, stop: () => stop(supervisor, ended) }

  const outcome = await Promise.race([ready, ended.then((words) => ({ words })), startTimeoutOrAbort(launch.signal)])
  if (outcome === 'ready') return running
  await running.stop()
  const reason = typeof outcome === 'string' ? outcome : outcome.words
  throw new DatabaseStartError(`PostgreSQL did not start: ${reason}`)
}

async function startTimeoutOrAbort(signal: AbortSignal): Promise<string> {
  const late = pause(startSecondsMax * 1_000, `not ready within ${startSecondsMax} s`, { signal, ref: false })
  return late.catch(() => 'the start was aborted')
}

function follow(supervisor: ChildProcess, log: Log): { ready: Promise<'ready'>; ended: Promise<string> } {
  const ready = Promise.withResolvers<'ready'>()
  const ended = Promise.withResolvers<string>()
  let lastLogLine = 'it wrote no log'

  // Null only if the spawn failed, which the error event below reports.
  const errors: Readable | null = supervisor.stderr
  if (errors !== null) {
    createInterface({ input: errors }).on('line', (line) => {
      log.debug({ line }, 'PostgreSQL log')
      if (!line.startsWith('LOG:')) lastLogLine = line
      if (line.includes('database system is ready to accept connections')) ready.resolve('ready')
    })
    // PostgreSQL and all its children have closed it: the supervisor may end too.
    errors.on('end', () => supervisor.stdin?.end())
  }
  supervisor.stdin?.on('error', () => undefined)
  supervisor.on('error', (error) => ended.resolve(error.message))
  supervisor.on('close', () => ended.resolve(lastLogLine))
  return { ready: ready.promise, ended: ended.promise }
}

async function stop(supervisor: ChildProcess, ended: Promise<string>): Promise<void> {
  supervisor.stdin?.end()
  if (await within(fastStopMilliseconds, ended)) return
  signalSession(supervisor, 'SIGQUIT')
  if (await within(immediateStopMilliseconds, ended)) return
  signalSession(supervisor, 'SIGKILL')
  await ended
}

function signalSession(supervisor: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (supervisor.pid !== undefined) process.kill(-supervisor.pid, signal)
  } catch {
    // It has already ended.
  }
}

async function within(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = pause(milliseconds, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([event.then(() => true), late])
  timer.abort()
  return inTime
}
