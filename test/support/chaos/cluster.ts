import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../processes/freePort.ts'
import { childrenOf, signal } from './descendants.ts'
import type { PostgresPrograms } from './machine.ts'

const run = promisify(execFile)
const readySeconds = 60

/** A PostgreSQL server under the control of a test. */
export type Cluster = {
  host: string
  port: number
  folder: string
  isRunning(): boolean
  start(): Promise<void>
  /** A fast shutdown. */
  stop(): Promise<void>
  /** An immediate shutdown without a checkpoint; `SIGKILL` as when the machine fails. */
  break(how: 'immediate' | 'killed'): Promise<void>
  /** Runs one statement as the superuser. */
  ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
}

/** Where a server runs when not on loopback. */
export type ClusterPlace = {
  /** The address of its clients. It listens on all addresses. */
  host: string
  /** The addresses that need no password. */
  trusted: string
  /** The words before a command that run it there, as the account. */
  wrapper(account: PostgresPrograms['account']): string[]
}

const settings = {
  unix_socket_directories: '',
  max_connections: '300',
  wal_level: 'replica',
  max_wal_size: '256MB',
  wal_keep_size: '64MB',
  hot_standby: 'on',
  lc_messages: 'C',
}

/** A new cluster in `folder`, not started; with a database `atelier` once it has been by {@link startService}. */
export async function makeCluster(programs: PostgresPrograms, folder: string, place?: ClusterPlace): Promise<Cluster> {
  const cluster = await ownFolder(programs, folder)
  const options = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  await run(programs.initdb, options, { ...programs.account, cwd: cluster })
  if (place) {
    const rules = ['all', 'replication'].map((what) => `host ${what} all ${place.trusted} trust\n`)
    await appendFile(join(cluster, 'pg_hba.conf'), rules.join(''))
  }
  return serverOf(programs, cluster, place)
}

/** Starts a new cluster, with a role and a database for the service. */
export async function startService(cluster: Cluster): Promise<void> {
  await cluster.start()
  await cluster.ask('create role atelier login')
  await cluster.ask('create database atelier owner atelier')
}

/** A started standby that has caught up with the primary. */
export async function makeStandby(
  programs: PostgresPrograms & { baseBackup: string },
  folder: string,
  primary: { host?: string; port: number },
  place?: ClusterPlace,
): Promise<Cluster> {
  const cluster = await ownFolder(programs, folder)
  const from = `host=${primary.host ?? '127.0.0.1'} port=${primary.port} user=postgres application_name=standby`
  const options = ['-D', cluster, '-d', from, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
  const { command, args, account } = commandIn(place, programs.account, [programs.baseBackup, ...options])
  await run(command, args, { ...account, cwd: cluster })
  const standby = await serverOf(programs, cluster, place)
  await standby.start()
  return standby
}

/** The same without `pg_basebackup`, of a primary that stands still meanwhile: its folder is copied. Not started. */
export async function copyStandby(programs: PostgresPrograms, folder: string, primary: Cluster): Promise<Cluster> {
  const cluster = await ownFolder(programs, folder)
  await run('cp', ['-a', `${primary.folder}/.`, cluster])
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  await writeFile(join(cluster, 'standby.signal'), '')
  return serverOf(programs, cluster)
}

async function ownFolder({ account }: PostgresPrograms, folder: string): Promise<string> {
  const cluster = join(folder, 'cluster')
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  if (account) for (const each of [folder, cluster]) await chown(each, account.uid, account.gid)
  return cluster
}

/** The command and its account, for `spawn`: a wrapper sets the account itself, since only root may enter another place. */
function commandIn(place: ClusterPlace | undefined, account: PostgresPrograms['account'], words: string[]) {
  const [command = '', ...args] = [...(place?.wrapper(account) ?? []), ...words]
  return { command, args, account: place ? undefined : account }
}

async function serverOf(programs: PostgresPrograms, folder: string, place?: ClusterPlace): Promise<Cluster> {
  const port = await freePort()
  const host = place?.host ?? '127.0.0.1'
  let running: ChildProcess | undefined
  const listening = { listen_addresses: place ? '*' : '127.0.0.1', port: String(port) }
  const wanted = Object.entries({ ...settings, ...listening }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

  async function start(): Promise<void> {
    const { command, args, account } = commandIn(place, programs.account, [programs.postgres, '-D', folder, ...wanted])
    const server = spawn(command, args, { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: {} })
    const gone = once(server, 'exit').then(() => 'gone')
    void gone.then(() => running === server && (running = undefined))
    const ready = new Promise<string>((resolve) => {
      createInterface({ input: server.stderr }).on('line', (line) => line.includes('ready to accept') && resolve('ready'))
    })
    const late = new Promise<string>((resolve) => setTimeout(resolve, readySeconds * 1000, 'late').unref())
    running = server
    const outcome = await Promise.race([ready, gone, late])
    if (outcome !== 'ready') throw new Error(`PostgreSQL in ${folder} did not start: ${outcome}`)
  }

  return {
    host,
    port,
    folder,
    isRunning: () => running !== undefined,
    start,
    async stop() {
      const server = running
      if (server === undefined) return
      const gone = once(server, 'exit')
      server.kill('SIGINT')
      await gone
    },
    async break(how) {
      const server = running
      if (server === undefined) return
      const gone = once(server, 'exit')
      // Its children would finish their work.
      const children = how === 'killed' ? await childrenOf(server.pid) : []
      server.kill(how === 'killed' ? 'SIGKILL' : 'SIGQUIT')
      for (const child of children) signal(child, 'SIGKILL')
      await gone
    },
    async ask(text) {
      const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres', query_timeout: 60_000 })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
  }
}
