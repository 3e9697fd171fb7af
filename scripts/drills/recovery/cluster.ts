import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** PostgreSQL refuses root, so root uses the account of Debian's packages. */
export const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []

export type Cluster = {
  port: number
  urlOf(database: string): string
  query(sql: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/** Runs a program as the account that owns the clusters. */
export async function runAs(program: string, args: string[]): Promise<void> {
  const [command = program, ...rest] = [...asPostgres, program, ...args]
  await run(command, rest)
}

/** Creates a data folder at `folder`/data; every local user may connect as the superuser `postgres`. */
export async function makeCluster(programs: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (asPostgres.length > 0) await run('chown', ['postgres', folder])
  await runAs(join(programs, 'initdb'), ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
}

/** Runs the cluster of `folder` on loopback with these settings; resolves when it is not, or no longer, in recovery. */
export async function startCluster(programs: string, folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const port = await freePort()
  const all = { ...settings, port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' }
  const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [...asPostgres, join(programs, 'postgres'), '-D', join(folder, 'data'), ...given]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', process.env['RECOVERY_LOG'] === undefined ? 'ignore' : 'inherit'] })
  const gone = once(child, 'exit')
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`
  const query = async (sql: string) => {
    const client = new pg.Client(urlOf('postgres'))
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  for (let tries = 0; ; tries += 1) {
    const rows = await query('select pg_is_in_recovery() as recovering').catch(() => undefined)
    if (rows?.[0]?.['recovering'] === false) break
    if (child.exitCode !== null || tries === 600) throw new Error('the cluster did not start')
    await pause(200)
  }
  const stop = async () => {
    // Ends all sessions.
    await runAs(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), '-m', 'fast', '-w', 'stop'])
    await gone
  }
  return { port, urlOf, query, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
