import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { pinProcess } from './support/pinProcess.ts'
import { startAll } from './support/startAll.ts'
import { type Command, startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

const generationsEach = 200
const warmUpsEach = 25
const processors = { postgres: 0, others: 1 }

/**
 * Measures generations from start to result with PostgreSQL on one processor, and all processes of the service, the vendor and the load on
 * the other. The load of PostgreSQL's processor shows how near it is to its limit, and its time per generation how many one processor makes.
 */
export async function benchSaturation(options: { postgresPrograms?: string }, counts = [1, 2, 4, 8]): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) {
    // Teams for each process, so that no account's row is the limit.
    const fixture = await openFixture({ ...options, teams: 10, settings: { max_connections: '300' } })
    try {
      rows.push(...(await measure(fixture, count)))
    } finally {
      await fixture.close()
    }
  }
  return rows
}

async function measure(fixture: Fixture, count: number): Promise<Row[]> {
  const postmaster = Number.parseInt(readFileSync(join(fixture.clusterFolder, 'postmaster.pid'), 'utf8'), 10)
  const [serving, working]: [Command[], Command[]] = [[], []]
  // One after the other: together they would wait for the database longer than they may.
  while (serving.length < count) serving.push(await startCommand('serve', fixture.env))
  while (working.length < count) working.push(await startCommand('work', fixture.env))
  const commands = [...serving, ...working]
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  try {
    pinProcess(postmaster, processors.postgres)
    for (const pid of [process.pid, fixture.vendorPid, ...commands.map((command) => command.pid)]) pinProcess(pid, processors.others)
    await run(fixture, { serving, client, generations: warmUpsEach * count })
    const serverPids = commands.map(({ pid }) => pid)
    const meter = cpuMeter({ serverPids, loadPids: [process.pid, fixture.vendorPid], clusterFolder: fixture.clusterFolder })
    const startedAt = performance.now()
    const { count: made } = await meter.during(() => run(fixture, { serving, client, generations: generationsEach * count }))
    const rate = (made * 1000) / (performance.now() - startedAt)
    const cpu = meter.perUnit()
    const name = `generations, ${count} serve and ${count} work, PostgreSQL on one processor`
    return [
      { name, ours: rate, unit: '/s', cpu },
      { name: `${name}: its load`, ours: (rate * cpu.databaseMicros) / 10_000, unit: '%' },
    ]
  } finally {
    await client.end()
    await Promise.all(commands.map(({ stop }) => stop()))
  }
}

type Run = { serving: Command[]; client: pg.Client; generations: number }

/** Starts generations of all teams on all servers, and waits for their results. */
async function run(fixture: Fixture, { serving, client, generations }: Run): Promise<{ count: number }> {
  const ready = async () => Number((await client.query(`select count(*) from generations where state = 'ready'`)).rows[0].count)
  const before = await ready()
  const parts = fixture.teams.map((team, index) => ({ team, url: serving[index % serving.length]?.url ?? '' }))
  const count = Math.ceil(generations / parts.length)
  await Promise.all(parts.map(({ team, url }) => startAll(url, team, { count, atOnce: 10 })))
  while ((await ready()) < before + count * parts.length) await pause(100)
  return { count: count * parts.length }
}
