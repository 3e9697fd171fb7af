import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'

const run = promisify(execFile)

/**
 * Ends a PostgreSQL that a killed run left on the cluster. Removes a `postmaster.pid` whose process id belongs to another program now, with
 * which PostgreSQL would refuse to start. Only for the holder of the folder's lock. Throws {@link DatabaseStartError} after 15 s.
 */
export async function stopOrphanedPostgres(cluster: string, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n', 1)[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return
  if (!(await servesCluster(pid, cluster))) {
    await rm(pidFile, { force: true })
    return
  }

  log.warn({ pid }, 'stopping PostgreSQL of an earlier run')
  for (const [signal, waitSeconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    signalIfRunning(pid, signal)
    const deadline = performance.now() + waitSeconds * 1_000
    while (performance.now() < deadline) {
      if (!(await servesCluster(pid, cluster))) return
      await pause(20)
    }
  }
  throw new DatabaseStartError(`PostgreSQL of an earlier run (process ${pid}) still uses ${cluster} and does not end: stop it manually`)
}

async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    return folder !== undefined && folder === (await realpath(cluster))
  }
  const command = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }))
  return command.stdout.includes(cluster)
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
