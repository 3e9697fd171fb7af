import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DatabaseStartError } from '../../../src/database/databaseStartError.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded/embeddedPostgres.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'
import { relayStderr } from '../../support/processes/relayStderr.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const settings = { fsync: 'off' }

// One cluster for the file, since creating one is slow; each test leaves it stopped.
let parent: string
let folder: string
beforeAll(async () => {
  parent = await mkdtemp(join(memoryFolder(), 'atelier-embedded-'))
  folder = join(parent, 'closed', 'postgres')
  await mkdir(join(parent, 'closed'), { mode: 0o700 })
  const { url, stop } = await startEmbeddedPostgres({ folder, settings, log })
  await query(url, 'create table kept (word text)')
  await query(url, "insert into kept values ('ärger')")
  await stop()
})
afterAll(() => rm(parent, { recursive: true, force: true }))

async function start(options: { port?: number } = {}) {
  const running = await startEmbeddedPostgres({ folder, settings, log, ...options })
  onTestFinished(running.stop)
  return running
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
}

/** Starts a process that runs the database; `next` reads its next line of output. */
function holder() {
  const child = relayStderr(
    spawn(process.execPath, [fileURLToPath(new URL('../holdPostgres.ts', import.meta.url)), folder], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const ended = new Promise<number | null>((settle) => child.on('exit', settle))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, ended, next: async () => String((await lines.next()).value) }
}

test('data, password and port survive a stop, and only the loopback address with the password connects', async () => {
  const first = await start()
  await first.stop()
  const second = await start()

  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'ärger' }])
  const [shown] = await query(
    second.url,
    `select current_setting('listen_addresses') as addresses, current_setting('server_encoding') as encoding, (select datlocale from pg_database where datname = current_database()) as locale`,
  )
  expect(shown).toEqual({ addresses: '127.0.0.1', encoding: 'UTF8', locale: 'C.UTF-8' })
  const [, , , , sockets] = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  expect(sockets).toBe('')
  expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600)
  await expect(query(second.url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('a second start on a folder in use is refused in one line, and the first continues', async () => {
  const { url } = await start()

  const refusal = await startEmbeddedPostgres({ folder, log }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseStartError)
  expect((refusal as Error).message).toContain(`in use by another process (${process.pid})`)

  const other = holder()
  const line = await other.next()
  expect(line).toContain(`in use by another process (${process.pid})`)
  expect(await other.ended).toBe(1)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('after a SIGKILL of the service the folder starts again at once, without processes of the old run', async () => {
  const killed = holder()
  await killed.next()
  const orphan = await postmasterPid()
  killed.child.kill('SIGKILL')
  await killed.ended

  const { url } = await start()
  expect(await query(url, 'select word from kept')).toEqual([{ word: 'ärger' }])
  expect(await postmasterPid()).not.toBe(orphan)
  expect(isAlive(orphan)).toBe(false)
})

test('PostgreSQL shuts down by itself when the service is killed', async () => {
  const killed = holder()
  await killed.next()
  const orphan = await postmasterPid()
  killed.child.kill('SIGKILL')
  await killed.ended

  await expect.poll(() => readdir(join(folder, 'cluster')), { interval: 20, timeout: 10_000 }).not.toContain('postmaster.pid')
  await expect.poll(() => isAlive(orphan), { interval: 20, timeout: 10_000 }).toBe(false)
})

test('the next start stops a PostgreSQL whose supervisor was killed with the service', async () => {
  const killed = holder()
  await killed.next()
  const orphan = await postmasterPid()
  const keeper = Number(spawnSync('ps', ['-p', String(orphan), '-o', 'ppid='], { encoding: 'utf8' }).stdout)
  expect(keeper).toBeGreaterThan(1)
  process.kill(keeper, 'SIGKILL')
  killed.child.kill('SIGKILL')
  await killed.ended

  const { url } = await start()
  expect(await query(url, 'select word from kept')).toEqual([{ word: 'ärger' }])
  expect(isAlive(orphan)).toBe(false)
})

test('Ctrl-C interrupts the service but not PostgreSQL', async () => {
  const service = holder()
  const url = await service.next()

  process.kill(-(service.child.pid ?? 0), 'SIGINT')
  expect(await service.next()).toBe('interrupted')
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a PostgreSQL that is killed while the service runs is restarted at the same address with its data', async () => {
  const { url } = await start()
  await query(url, "insert into kept values ('acknowledged')")
  process.kill(await postmasterPid(), 'SIGKILL')

  const words = () => query(url, 'select count(*)::int as count from kept').catch(() => undefined)
  await expect.poll(words, { interval: 50, timeout: 20_000 }).toEqual([{ count: 2 }])
  await query(url, "delete from kept where word = 'acknowledged'")
})

test('a stale process id that belongs to another program does not prevent a start', async () => {
  await writeFile(join(folder, 'cluster', 'postmaster.pid'), `${process.pid}\n/elsewhere\n1700000000\n5432\n\n127.0.0.1\n`)

  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a port that another program uses is replaced, unless it was fixed', async () => {
  const taken = await start()
  const port = Number(new URL(taken.url).port)
  await taken.stop()
  const squatter = createServer().listen(port, '127.0.0.1')
  await new Promise((settle) => squatter.once('listening', settle))
  onTestFinished(() => void squatter.close())

  await expect(start({ port })).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`)
  const { url } = await start()
  expect(Number(new URL(url).port)).not.toBe(port)
})

test('an incomplete cluster of a killed first start is removed', async () => {
  await mkdir(join(folder, 'creating-left', 'base'), { recursive: true })
  await writeFile(join(folder, 'creating-left.password'), 'secret')

  await start()
  expect((await readdir(folder)).filter((name) => name.startsWith('creating-'))).toEqual([])
})

test('a cluster of another version is refused with both versions, and not changed', async () => {
  const other = join(parent, 'other')
  await mkdir(join(other, 'cluster'), { recursive: true })
  await chmod(join(other, 'cluster'), 0o700)
  await writeFile(join(other, 'cluster', 'PG_VERSION'), '15\n')
  await writeFile(join(other, 'password'), 'secret\n')

  await expect(startEmbeddedPostgres({ folder: other, log })).rejects.toThrow(/was created by PostgreSQL 15, this is 18/)
  expect(await readdir(join(other, 'cluster'))).toEqual(['PG_VERSION'])
})

test('a setting that PostgreSQL refuses fails the start in one line and unlocks the folder', async () => {
  const refusal = await startEmbeddedPostgres({ folder, settings: { work_mem: 'plenty' }, log }).catch((error: unknown) => error)
  expect((refusal as Error).message).toMatch(/^PostgreSQL did not start: .*work_mem.*$/)
  await start()
})

/** A zombie process counts as ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
