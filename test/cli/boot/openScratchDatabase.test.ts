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

test('with the programs of the package, the scratch database is a server in the data folder, which is gone afterwards', async () => {
  const dataFolder = await aDataFolder()
  await mkdir(join(dataFolder, 'scratch-of-a-killed-run'))
  const { url, drop } = await openScratchDatabase({ ...(await aServer()), dataFolder, log })
  expect(await databaseOf(url)).toBe('postgres')
  expect(await readdir(dataFolder)).toHaveLength(1)
  await drop()
  expect(await readdir(dataFolder)).toEqual([])
})

test('without them it is another database of the server, which is dropped, like one that a killed run left', async () => {
  const server = await aServer()
  const scratchNames = async () => {
    const { rows } = await server.pool.query("select datname from pg_database where starts_with(datname, 'atelier_scratch_')")
    return rows.map(({ datname }) => datname)
  }
  await server.pool.query('create database atelier_scratch_0123456789ab')
  const { url, drop } = await openScratchDatabase({ ...server, dataFolder: await aDataFolder(), log, programs: false })
  expect(await scratchNames()).toEqual([await databaseOf(url)])
  expect(await databaseOf(url)).not.toBe('atelier_scratch_0123456789ab')
  await drop()
  expect(await scratchNames()).toEqual([])
})
