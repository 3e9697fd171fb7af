import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { load } from './support/load.ts'
import { limitProcessor } from './support/processorShare.ts'
import { startAll } from './support/startAll.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

const counts = [1, 2, 4] as const
/** The share of one processor for each process: four processes leave room on two processors for PostgreSQL and the clients. */
const share = 0.2
const rounds = 3
const seconds = 4
const connectionsEach = 16
const generationsEach = 50

type Several = { pids: number[]; urls: string[]; limit(): void; stop(): Promise<void> }
type Measured = { rate: number; count: number; loadMicros?: number }

/** Measures one, two and four processes, each on a fifth of a processor, beside one. */
export async function benchSeveralProcesses(options: { postgresPrograms?: string }): Promise<Row[]> {
  return [
    ...(await onFixture(async (fixture) => [
      ...(await rowsOf('reads of a generation', fixture, { command: 'serve', measure: await readsOf(fixture) })),
      ...(await rowsOf('starts, ten teams', fixture, { command: 'serve', measure: startsOf(fixture) })),
    ])),
    // A new fixture: workers would continue the generations that the earlier rows started.
    ...(await onFixture((fixture) => rowsOf('generations, queued to ready', fixture, { command: 'work', measure: endsOf(fixture) }))),
  ]

  async function onFixture(measure: (fixture: Fixture) => Promise<Row[]>): Promise<Row[]> {
    const fixture = await openFixture({ ...options, teams: 10 })
    try {
      return await measure(fixture)
    } finally {
      await fixture.close()
    }
  }
}

type Work = { command: 'serve' | 'work'; measure(several: Several): Promise<Measured> }

async function rowsOf(name: string, fixture: Fixture, { command, measure }: Work): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) {
    const several = await open(count, command, fixture)
    try {
      const meter = cpuMeter({ serverPids: several.pids, clusterFolder: fixture.clusterFolder })
      const rates: number[] = []
      // The first round is a warm-up without limits: processes that decode media start slowly.
      for (let round = 0; round <= rounds; round++) {
        if (round === 1) several.limit()
        const { rate } = await (round > 0 ? meter.during(() => measure(several)) : measure(several))
        if (round > 0) rates.push(rate)
        if (command === 'serve') await query(fixture, 'truncate graphile_worker._private_jobs')
      }
      const limit = { name: 'one process', value: rows[0]?.ours ?? median(rates) }
      const processes = count === 1 ? '1 process' : `${count} processes`
      rows.push({ name: `${name}, ${processes}`, ours: median(rates), unit: '/s', cpu: meter.perUnit(), limit, aim: `${count}` })
    } finally {
      await several.stop()
    }
  }
  return rows
}

async function open(count: number, command: Work['command'], { env }: Fixture): Promise<Several> {
  const started = await Promise.all(Array.from({ length: count }, () => startCommand(command, env)))
  const pids = started.map(({ pid }) => pid)
  let shares: ReturnType<typeof limitProcessor>[] = []
  return {
    pids,
    urls: started.map(({ url }) => url),
    limit() {
      shares = pids.map((pid) => limitProcessor(pid, share))
      if (shares.includes(undefined)) process.stderr.write('control groups are not available here: the processes share the processors\n')
    },
    async stop() {
      await Promise.all(started.map(({ stop }) => stop()))
      for (const each of shares) each?.free()
    },
  }
}

async function readsOf(fixture: Fixture): Promise<Work['measure']> {
  const one = await startCommand('serve', fixture.env)
  const [id] = await startAll(one.url, fixture, { count: 1 })
  await one.stop()
  const keys = [fixture.key]
  return ({ urls }) => load({ urls: urls.map((url) => `${url}/api/v1/generations/${id}`), connections: connectionsEach, seconds, keys })
}

function startsOf({ teams }: Fixture): Work['measure'] {
  const body = JSON.stringify({ familyId: 'bench-image', prompt: 'a lighthouse' })
  const sent = { headers: { 'content-type': 'application/json' }, keys: teams.map(({ key }) => key), method: 'POST' as const, body }
  return ({ urls }) => load({ urls: urls.map((url) => `${url}/api/v1/generations`), connections: connectionsEach, seconds, ...sent })
}

/** Measures from the moment all are queued to the end of the last, with workers that are ready before. */
function endsOf(fixture: Fixture): Work['measure'] {
  return async ({ pids }) => {
    const http = await startCommand('serve', fixture.env)
    try {
      const wanted = (await readyOf(fixture)) + generationsEach * pids.length
      await startAll(http.url, fixture, { count: generationsEach * pids.length })
      const [startedAt, before] = [performance.now(), await readyOf(fixture)]
      while ((await readyOf(fixture)) < wanted) await new Promise((resolve) => setTimeout(resolve, 50))
      return { count: wanted - before, rate: ((wanted - before) * 1000) / (performance.now() - startedAt) }
    } finally {
      await http.stop()
    }
  }
}

async function readyOf(fixture: Fixture): Promise<number> {
  return Number((await query(fixture, `select count(*) from generations where state = 'ready'`))[0]?.['count'])
}

async function query({ databaseUrl }: Fixture, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
