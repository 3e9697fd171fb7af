import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { countStatements } from './support/countStatements.ts'
import { childMicros, cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import { startAll } from './support/startAll.ts'
import { type Command, startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

const idleSeconds = 3
const warmUps = 50

/** `families`: one whose vendor answers with the result, and one whose vendor has a queue. */
type Costs = { generations?: number; families?: string[] }

const aims: Record<string, string> = {
  transactions: '<= 8',
  statements: '<= 10',
  WAL: '<= 6',
  'PostgreSQL CPU': '<= 4',
  'worker CPU': '<= 4',
}

/**
 * Measures what one generation costs from its start to its result, while `serve` and `work` run, at fifty starts at once: counts, which
 * depend little on the machine, and processor time. What the idle processes use in the same time is subtracted.
 */
export async function benchCosts(
  fixture: Fixture,
  { generations = 400, families = ['bench-image', 'bench-queue'] }: Costs = {},
): Promise<Row[]> {
  const rows: Row[] = []
  for (const familyId of families) {
    const figures = {
      ...(await measureCosts(fixture, { familyId, generations })),
      ...(await measureStatements(fixture, { familyId, generations })),
    }
    const vendor = familyId === 'bench-queue' ? 'vendor with a queue' : 'vendor that answers at once'
    for (const [name, { value, unit }] of Object.entries(figures)) {
      rows.push({ name: `a generation, ${vendor}: ${name}`, ours: value, unit, ...(aims[name] === undefined ? {} : { aim: aims[name] }) })
    }
  }
  return rows
}

type Measured = { familyId: string; generations: number }
type Figures = Record<string, { value: number; unit: string }>

async function measureCosts(fixture: Fixture, measured: Measured): Promise<Figures> {
  return running(fixture, fixture.env, async ({ serve, work, client }) => {
    const loadPids = [process.pid, fixture.vendorPid]
    const start = cpuMeter({ serverPids: [serve.pid], loadPids, clusterFolder: fixture.clusterFolder })
    const end = cpuMeter({ serverPids: [work.pid], clusterFolder: fixture.clusterFolder })
    const counts = async () => ({ walBytes: await walBytesOf(client), media: childMicros(work.pid) })
    const each = await perGeneration(counts, { ...measured, serve, fixture, client, around: (run) => start.during(() => end.during(run)) })
    const { serverMicros: workerMicros, databaseMicros } = end.perUnit()
    const { serverMicros, loadMicros = 0 } = start.perUnit()
    return {
      WAL: { value: each.walBytes / 1000, unit: 'KB' },
      'PostgreSQL CPU': { value: databaseMicros / 1000, unit: 'ms' },
      'worker CPU': { value: workerMicros / 1000, unit: 'ms' },
      'CPU of its media processes': { value: each.media / 1000, unit: 'ms' },
      'server CPU': { value: serverMicros / 1000, unit: 'ms' },
      'CPU of the load and the vendor': { value: loadMicros / 1000, unit: 'ms' },
    }
  })
}

async function measureStatements(fixture: Fixture, measured: Measured): Promise<Figures> {
  const proxy = await countStatements(fixture.databaseUrl)
  try {
    return await running(fixture, { ...fixture.env, DATABASE_URL: proxy.url }, async ({ serve, client }) => {
      const counts = async () => proxy.counts()
      const { statements, transactions } = await perGeneration(counts, { ...measured, serve, fixture, client, around: (run) => run() })
      return { transactions: { value: transactions, unit: '' }, statements: { value: statements, unit: '' } }
    })
  } finally {
    await proxy.close()
  }
}

type Running = { serve: Command; work: Command; client: pg.Client }

async function running<Result>(fixture: Fixture, env: NodeJS.ProcessEnv, measure: (running: Running) => Promise<Result>): Promise<Result> {
  const [serve, work] = await Promise.all([startCommand('serve', env), startCommand('work', env)])
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  try {
    return await measure({ serve, work, client })
  } finally {
    await client.end()
    await Promise.all([serve.stop(), work.stop()])
  }
}

type Run = Measured & {
  serve: Command
  fixture: Fixture
  client: pg.Client
  around(run: () => Promise<{ count: number }>): Promise<unknown>
}

/** Returns the growth of each count per generation, less its growth in the same time without work. */
async function perGeneration<Counts extends Record<string, number>>(
  countsNow: () => Promise<Counts>,
  { serve, fixture, client, familyId, generations, around }: Run,
): Promise<Counts> {
  const run = (count: number) => runToEnd(client, () => startAll(serve.url, fixture, { count, familyId }))
  await run(warmUps)
  const [idle, idleTime] = await growth(countsNow, () => pause(idleSeconds * 1000))
  const [busy, busyTime] = await growth(countsNow, () => around(() => run(generations)))
  const entries = Object.entries(busy).map(([name, value]) => [name, (value - ((idle[name] ?? 0) * busyTime) / idleTime) / generations])
  return Object.fromEntries(entries) as Counts
}

async function growth<Counts extends Record<string, number>>(
  countsNow: () => Promise<Counts>,
  run: () => Promise<unknown>,
): Promise<[Counts, number]> {
  const before = await countsNow()
  const startedAt = performance.now()
  await run()
  const after = await countsNow()
  const entries = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)])
  return [Object.fromEntries(entries) as Counts, performance.now() - startedAt]
}

async function walBytesOf(client: pg.Client): Promise<number> {
  return Number((await client.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)).rows[0].bytes)
}

/** Resolves when as many generations are ready as `start` started. */
async function runToEnd(client: pg.Client, start: () => Promise<string[]>): Promise<{ count: number }> {
  const ready = async () => Number((await client.query(`select count(*) from generations where state = 'ready'`)).rows[0].count)
  const before = await ready()
  const { length: count } = await start()
  while ((await ready()) < before + count) await pause(100)
  return { count }
}
