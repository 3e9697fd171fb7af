import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, openFixture, startProcess } from './support/fixture.ts'
import { load } from './support/load.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

const seconds = 4
const rounds = 3

type Case = { name: string; teams: number; connections: number; settings: Record<string, string>; aim: string }

/** The cases without fsync measure work instead of the disk. */
const cases: Case[] = [
  { name: 'starts, ten teams, fsync off', teams: 10, connections: 50, settings: { fsync: 'off' }, aim: '>= 0.6, <= 250 + 250 µs' },
  { name: 'starts, one team, fsync on', teams: 1, connections: 50, settings: {}, aim: '>= 0.9' },
  { name: 'starts, one team, fsync on, 200 clients', teams: 1, connections: 200, settings: {}, aim: 'no 503' },
]

/** Measures starts through the whole service, beside plain transactions of three statements from as many clients, in turns. */
export async function benchStarts(options: { postgresPrograms?: string }): Promise<Row[]> {
  const rows: Row[] = []
  for (const { settings, teams, ...measured } of cases) {
    const fixture = await openFixture({ ...options, settings, teams })
    try {
      rows.push(await measure(fixture, measured))
    } finally {
      await fixture.close()
    }
  }
  return rows
}

async function measure(fixture: Fixture, { name, connections, aim }: Pick<Case, 'name' | 'connections' | 'aim'>): Promise<Row> {
  const service = await startCommand('serve', fixture.env)
  try {
    const body = JSON.stringify({ familyId: 'bench-image', prompt: 'a lighthouse' })
    const headers = { 'content-type': 'application/json' }
    const ours: number[] = []
    const theirs: number[] = []
    const meter = cpuMeter({ serverPids: [service.pid], clusterFolder: fixture.clusterFolder })
    for (let round = 0; round <= rounds; round++) {
      const urls = [`${service.url}/api/v1/generations`]
      const start = () => load({ urls, connections, seconds, headers, keys: fixture.teams.map(({ key }) => key), method: 'POST', body })
      const own = await (round > 0 ? meter.during(start) : start())
      await emptyQueue(fixture)
      const other = await plainStarts(fixture, connections)
      await emptyQueue(fixture)
      // The first round is a warm-up.
      if (round > 0) {
        ours.push(own.rate)
        theirs.push(other)
      }
    }
    const limit = { name: 'plain transactions: update account, insert row, insert job', value: median(theirs) }
    return { name, ours: median(ours), unit: 'req/s', cpu: meter.perUnit(), limit, aim }
  } finally {
    await service.stop()
  }
}

async function plainStarts(fixture: Fixture, connections: number): Promise<number> {
  const rows = fixture.teams.map(({ teamId, accountId, userId, keyId }) => ({
    owner_id: teamId,
    account_id: accountId,
    user_id: userId,
    key_id: keyId,
  }))
  const env = { ...fixture.env, BENCH_CLIENTS: String(connections), BENCH_SECONDS: String(seconds), BENCH_ROWS: JSON.stringify(rows) }
  const run = await startProcess(new URL('./processes/plainStarts.ts', import.meta.url), env)
  await run.stop()
  return Number(run.firstMessage)
}

/** Each round starts with an empty queue. */
async function emptyQueue(fixture: Fixture): Promise<void> {
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  await client.query('truncate graphile_worker._private_jobs')
  await client.end()
}
