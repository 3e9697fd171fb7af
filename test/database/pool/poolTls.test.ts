import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/readConfig.ts'
import { startEmbeddedPostgres, superuserPasswordFile } from '../../../src/database/embedded/embeddedPostgres.ts'
import { postgresAccount } from '../../../src/database/embedded/postgresAccount.ts'
import { superuserRole } from '../../../src/database/embedded/serviceRole.ts'
import { openPool } from '../../../src/database/pool/pool.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import { compileCache } from '../../support/processes/compileCache.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'
import { privateCa } from '../../support/tls/certificates.ts'

const run = promisify(execFile)
const log = { debug() {}, info() {}, warn() {}, error() {} }
const folder = await mkdtemp(join(memoryFolder(), 'atelier-tls-'))
await chmod(folder, 0o755)
const [company, stranger] = await Promise.all([privateCa(folder, 'company'), privateCa(folder, 'stranger')])
const [named, unnamed, client, foreign] = await Promise.all([
  company.issue('localhost'),
  company.issue('db.example.com'),
  company.issue('atelier'),
  stranger.issue('atelier'),
])

/** PostgreSQL reads its key only if it owns the file. */
async function tlsSettings(cluster: string, { cert, key }: typeof named) {
  const account = await postgresAccount(cluster)
  const own = `${key}.server`
  await writeFile(own, await readFile(key), { mode: 0o600 })
  if (account) await chown(own, account.uid, account.gid)
  return { fsync: 'off', ssl: 'on', ssl_cert_file: cert, ssl_key_file: own, ssl_ca_file: company.ca }
}

/** A PostgreSQL whose role `atelier` needs a client certificate of the company. */
async function tlsPostgres(name: string, server: typeof named) {
  const own = join(folder, name)
  await mkdir(own)
  const postgres = await startEmbeddedPostgres({ folder: own, settings: await tlsSettings(join(own, 'cluster'), server), log })
  afterAll(() => postgres.stop())
  const { port } = new URL(postgres.url)
  const rules = `hostssl all atelier 127.0.0.1/32 cert\nhost all ${superuserRole} 127.0.0.1/32 scram-sha-256\n`
  await writeFile(join(own, 'cluster', 'pg_hba.conf'), rules)
  const password = (await readFile(join(own, superuserPasswordFile), 'utf8')).trim()
  const superuser = new pg.Client({ host: '127.0.0.1', port: Number(port), user: superuserRole, password, database: 'postgres' })
  await superuser.connect()
  afterAll(() => superuser.end())
  await superuser.query('select pg_reload_conf()')
  return { superuser, urlOf: (host: string, options: string) => `postgresql://atelier@${host}:${port}/postgres?${options}` }
}

afterAll(() => rm(folder, { recursive: true, force: true }))
const [first, second] = await Promise.all([tlsPostgres('first', named), tlsPostgres('second', unnamed)])
const own = `sslrootcert=${company.ca}&sslcert=${client.cert}&sslkey=${client.key}`

/** Connects as the service does, with the address as the configuration returns it. */
async function connected(url: string): Promise<{ version: string } | string> {
  const { database } = readConfig({ DATABASE_URL: url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }, { command: 'serve', vendors })
  if (database.kind !== 'external') throw new Error('not external')
  const pool = openPool(database.url, { max: 1, log })
  try {
    const { rows } = await pool.query<{ version: string }>('select version from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0] ?? 'none'
  } catch (error) {
    return (error as Error).message
  } finally {
    await pool.end()
  }
}

test('verify-full accepts the server that a private CA has certified for its name, and no other server', async () => {
  expect(await connected(first.urlOf('localhost', `sslmode=verify-full&${own}`))).toEqual({ version: 'TLSv1.3' })
  expect(await connected(second.urlOf('localhost', `sslmode=verify-full&${own}`))).toMatch(/does not match certificate's altnames/)
  const others = own.replace(company.ca, stranger.ca)
  expect(await connected(first.urlOf('localhost', `sslmode=verify-full&${others}`))).toMatch(/certificate/)
})

test('verify-ca accepts any name and address of a server of the private CA, and no server of another CA', async () => {
  expect(await connected(second.urlOf('localhost', `sslmode=verify-ca&${own}`))).toEqual({ version: 'TLSv1.3' })
  expect(await connected(second.urlOf('127.0.0.1', `sslmode=verify-ca&${own}`))).toEqual({ version: 'TLSv1.3' })
  expect(await connected(second.urlOf('localhost', `sslmode=verify-ca&${own.replace(company.ca, stranger.ca)}`))).toMatch(/certificate/)
})

test('require verifies a private CA too, so that it fails without its certificate', async () => {
  expect(await connected(first.urlOf('localhost', `sslmode=require&sslcert=${client.cert}&sslkey=${client.key}`))).toMatch(/certificate/)
})

test('a server that requires client certificates refuses a client without one, and one of another CA', async () => {
  expect(await connected(first.urlOf('localhost', `sslmode=verify-full&sslrootcert=${company.ca}`))).toMatch(/certificate/)
  const others = `sslrootcert=${company.ca}&sslcert=${foreign.cert}&sslkey=${foreign.key}`
  expect(await connected(first.urlOf('localhost', `sslmode=verify-full&${others}`))).toMatch(/unknown ca|certificate/)
  expect(await connected(first.urlOf('localhost', 'sslmode=disable'))).toMatch(/no pg_hba.conf entry/)
})

test('migrate and doctor open every connection with the client certificate', { timeout: 90_000 }, async () => {
  await first.superuser.query('alter database postgres owner to atelier')
  const env = {
    ...compileCache,
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: first.urlOf('localhost', `sslmode=verify-full&${own}`),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'error',
  }
  await run(process.execPath, ['src/cli/main.ts', 'migrate'], { env })
  const { stdout } = await run(process.execPath, ['src/cli/main.ts', 'doctor', '--json'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, database: 'postgres' })
})
