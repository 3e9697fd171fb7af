import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { pinProcess } from './support/pinProcess.ts'
import { limitProcessor } from './support/processorShare.ts'
import { startAll } from './support/startAll.ts'
import { type Command, startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

const generations = 600
const warmUpsEach = 50
const processors = { postgres: 0, others: 1 }
/** The share of its processor for PostgreSQL. The processes on the other processor need 2.5 times its time, so with all of it they are the limit. */
const postgresShare = 0.2
const sampledMs = 200
/** With more processes, PostgreSQL on a fifth of a processor cannot open the 200 connections of full pools before requests time out. */
const fullPoolProcessesMax = 4
const smallPool = '4'

/**
 * Measures generations from start to result with PostgreSQL on a share of one processor, and all processes of the service, the vendor and the
 * load on the other processor. With enough processes PostgreSQL is the limit, and its time per generation says how many one processor makes.
 * What its sessions wait for, as parts of the active ones, says which lock or flush comes next.
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
  const env = count > fullPoolProcessesMax ? { ...fixture.env, DATABASE_POOL_MAX: smallPool } : fixture.env
  // One after the other: together they would wait for the database longer than they may.
  while (serving.length < count) serving.push(await startCommand('serve', env))
  while (working.length < count) working.push(await startCommand('work', env))
  const commands = [...serving, ...working]
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  let share: ReturnType<typeof limitProcessor>
  let waits: Waits | undefined
  try {
    pinProcess(postmaster, processors.postgres)
    for (const pid of [process.pid, fixture.vendorPid, ...commands.map((command) => command.pid)]) pinProcess(pid, processors.others)
    await run(fixture, { serving, client, generations: warmUpsEach * count })
    const serverPids = commands.map(({ pid }) => pid)
    share = limitProcessor(postmaster, postgresShare)
    if (share === undefined) throw new Error('control groups are not available here, so PostgreSQL cannot be limited')
    const meter = cpuMeter({ serverPids, loadPids: [process.pid, fixture.vendorPid], clusterFolder: fixture.clusterFolder })
    waits = sampleWaits(fixture.databaseUrl)
    const startedAt = performance.now()
    const { count: made } = await meter.during(() => run(fixture, { serving, client, generations }))
    const rate = (made * 1000) / (performance.now() - startedAt)
    const cpu = meter.perUnit()
    const name = `generations, ${count} serve and ${count} work`
    return [
      { name, ours: rate, unit: '/s', cpu },
      { name: `${name}: load of PostgreSQL's share`, ours: (rate * cpu.databaseMicros) / 10_000 / postgresShare, unit: '%' },
      ...(await waits.stop()).map(({ wait, percent }) => ({ name: `${name}: active sessions, ${wait}`, ours: percent, unit: '%' })),
    ]
  } finally {
    await waits?.stop()
    share?.free()
    await client.end()
    await Promise.all(commands.map(({ stop }) => stop()))
  }
}

type Waits = { stop(): Promise<{ wait: string; percent: number }[]> }

/** Counts what active sessions wait for; `stop` returns the five most frequent. */
function sampleWaits(databaseUrl: string): Waits {
  const counts = new Map<string, number>()
  let stopped = false
  const sampled = (async () => {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    while (!stopped) {
      const { rows } = await client.query<{ wait: string; count: number }>(activeSessions)
      for (const { wait, count } of rows) counts.set(wait, (counts.get(wait) ?? 0) + count)
      await pause(sampledMs)
    }
    await client.end()
  })()
  return {
    stop: async () => {
      stopped = true
      await sampled
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, 5)
      return frequent.map(([wait, count]) => ({ wait, percent: (count * 100) / all }))
    },
  }
}

const activeSessions = `
  select coalesce(wait_event_type || ' ' || wait_event, 'on the processor') as wait, count(*)::int as count
  from pg_stat_activity
  where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
  group by 1`

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
