import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openScratchDatabase } from '../../../src/cli/boot/openScratchDatabase.ts'
import { emptyDatabase, testPool } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

async function aDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-scratch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function aServer() {
  const { url, drop } = await emptyDatabase()
  const pool = testPool(url, 2)
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return { pool, databaseUrl: url }
}

async function databaseOf(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.end()
  return rows[0]?.name ?? ''
}

test('with the PostgreSQL programs of the package, the scratch database is a server in the data folder, and is removed afterwards', async () => {
  const dataFolder = await aDataFolder()
  await mkdir(join(dataFolder, 'scratch-of-a-killed-run'))
  const { url, drop } = await openScratchDatabase({ ...(await aServer()), dataFolder, log })
  expect(await databaseOf(url)).toBe('postgres')
  expect(await readdir(dataFolder)).toHaveLength(1)
  await drop()
  expect(await readdir(dataFolder)).toEqual([])
})

test('it is refused with one line when the data folder has less room than the database', async () => {
  const dataFolder = await aDataFolder()
  const pool = { query: async () => ({ rows: [{ bytes: String(2 ** 62) }] }) } as unknown as pg.Pool
  await expect(openScratchDatabase({ pool, databaseUrl: 'postgres://unused', dataFolder, log, programs: true })).rejects.toThrow(
    /^\S+ has \d+ bytes free; a copy of the database needs \d+$/,
  )
  expect(await readdir(dataFolder)).toEqual([])
})

test('without the programs it is a database of the same server, which is dropped, as is one that a killed run left', async () => {
  const server = await aServer()
  const { rows } = await server.pool.query('select oid from pg_database where datname = current_database()')
  const prefix = `atelier_scratch_${rows[0]?.oid}_`
  const scratchNames = async () => {
    const found = await server.pool.query('select datname from pg_database where starts_with(datname, $1)', [prefix])
    return found.rows.map(({ datname }) => datname)
  }
  await server.pool.query(`create database ${prefix}0123456789ab`)
  const { url, drop } = await openScratchDatabase({ ...server, dataFolder: await aDataFolder(), log, programs: false })
  expect(await scratchNames()).toEqual([await databaseOf(url)])
  expect(await databaseOf(url)).not.toBe(`${prefix}0123456789ab`)
  await drop()
  expect(await scratchNames()).toEqual([])
})

test('the scratch database of another deployment on the same server stays', async () => {
  const [one, other] = [await aServer(), await aServer()]
  const options = { dataFolder: await aDataFolder(), log, programs: false }
  const first = await openScratchDatabase({ ...one, ...options })
  const second = await openScratchDatabase({ ...other, ...options })
  expect(await databaseOf(first.url)).toMatch(/^atelier_scratch_\d+_[0-9a-f]{12}$/)
  await first.drop()
  await second.drop()
})
