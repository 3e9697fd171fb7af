import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresAccount } from '../../../src/database/embedded/postgresAccount.ts'
import { freePort } from '../processes/freePort.ts'
import { relayStderr } from '../processes/relayStderr.ts'

export type Pgbouncer = {
  port: number
  start(): Promise<void>
  /** Stops it at once, without waiting for transactions. */
  stop(): Promise<void>
}

export type PgbouncerOptions = { host?: string; settings?: Record<string, number> }

/** Few sessions, so that they are always shared. */
const testSettings = { default_pool_size: 3 }
const startMs = 10_000

/**
 * Starts PgBouncer in transaction mode for every database of the cluster of `url`, with default settings: it refuses
 * startup parameters, and has no prepared statements before 1.21. Throws if PgBouncer is not installed.
 */
export async function startPgbouncer(url: string, folder: string, options: PgbouncerOptions = {}): Promise<Pgbouncer> {
  const { host = '127.0.0.1', settings: given = testSettings } = options
  const { hostname, port: serverPort, username, password } = new URL(url)
  const port = await freePort()
  await mkdir(folder, { recursive: true })
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  await writeFile(users, `"${username}" "${password}"\n`)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
${Object.entries(given)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
max_client_conn = 2000
server_idle_timeout = 10
log_connections = 0
log_disconnections = 0
`,
  )
  for (const path of [folder, users, settings]) await chmod(path, 0o755)
  // It refuses to run as root, like PostgreSQL.
  const account = await postgresAccount(join(folder, 'none'))
  const env = { PATH: '/usr/sbin:/usr/bin:/bin' }
  let running: { child: ChildProcess; gone: Promise<unknown> } | undefined
  const pooler: Pgbouncer = {
    port,
    async start() {
      const child = relayStderr(spawn('pgbouncer', ['-q', settings], { ...account, env, stdio: ['ignore', 'ignore', 'pipe'] }))
      running = { child, gone: once(child, 'exit') }
      await Promise.race([answers(host, port), running.gone.then(() => Promise.reject(new Error('pgbouncer ended')))])
    },
    async stop() {
      running?.child.kill('SIGTERM')
      await running?.gone
    },
  }
  await pooler.start()
  return pooler
}

async function answers(host: string, port: number): Promise<void> {
  for (const until = performance.now() + startMs; performance.now() < until; await pause(50)) {
    const socket = connect(port, host)
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('pgbouncer does not answer')
}
