import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import { residentMemory } from './support/residentMemory.ts'
import { startAll } from './support/startAll.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

const streams = 5000
const changes = 200
const quietSeconds = 20

/** Measures open event streams in one process: memory of each, processor time when idle, and the delay of an event. */
export async function benchStreams(fixture: Fixture): Promise<Row[]> {
  const http = await startCommand('serve', fixture.env)
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  const agent = new Agent({ maxSockets: streams + 10 })
  try {
    const ids = await startAll(http.url, fixture, { count: streams })
    await pause(2000)
    const before = await residentMemory(http.pid)
    const open = await openAll(ids, { agent, url: http.url, key: fixture.key })
    await pause(2000)
    const each = (((await residentMemory(http.pid)) - before) * 1024) / streams
    const meter = cpuMeter({ serverPids: [http.pid], clusterFolder: fixture.clusterFolder })
    await meter.during(async () => {
      await pause(quietSeconds * 1000)
      return { count: quietSeconds }
    })
    const busy = await client.query(
      `select count(*) from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    const delays = await changeSome(client, open)
    const burst = await changeAll(client, open)
    const { serverMicros, databaseMicros } = meter.perUnit()
    return [
      { name: `${streams} open streams, memory of each`, ours: each, unit: 'KB', aim: '< 30' },
      { name: `${streams} open streams, busy connections`, ours: Number(busy.rows[0].count), unit: '', aim: '0' },
      { name: `${streams} quiet streams, server`, ours: serverMicros / 10_000, unit: '% CPU' },
      { name: `${streams} quiet streams, database`, ours: databaseMicros / 10_000, unit: '% CPU' },
      { name: `commit to event among ${streams} streams, median`, ours: median(delays), unit: 'ms', aim: '< 100' },
      { name: `${streams} changes in one commit to the last event`, ours: burst, unit: 'ms' },
    ]
  } finally {
    agent.destroy()
    await client.end()
    await http.stop()
  }
}

/** A stream. `nextEventAt` resolves with the time of its next event. */
type OpenStream = { id: string; nextEventAt(): Promise<number> }

async function openAll(ids: string[], { agent, url, key }: { agent: Agent; url: string; key: string }): Promise<OpenStream[]> {
  const open: OpenStream[] = []
  while (open.length < ids.length) {
    const next = ids.slice(open.length, open.length + 100)
    open.push(...(await Promise.all(next.map((id) => openOne(id, { agent, url, key })))))
  }
  return open
}

/** Resolves at the first event. */
function openOne(id: string, { agent, url, key }: { agent: Agent; url: string; key: string }): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    let onEvent: (moment: number) => void = () => resolve({ id, nextEventAt: () => new Promise((resolveNext) => (onEvent = resolveNext)) })
    const stream = request(`${url}/api/v1/generations/${id}/events`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream got status ${response.statusCode}`))
      response.on('data', (chunk: Buffer) => chunk.includes('data: ') && onEvent(performance.now()))
      return response.on('error', () => undefined)
    })
    stream.once('error', reject)
    stream.end()
  })
}

async function changeSome(client: pg.Client, open: OpenStream[]): Promise<number[]> {
  const delays: number[] = []
  for (const { id, nextEventAt } of open.slice(0, changes)) {
    const event = nextEventAt()
    await client.query(`update generations set state = 'running', started_at = now(), progress = 0.1 where id = $1`, [id])
    const committed = performance.now()
    delays.push(Math.max(0, (await event) - committed))
  }
  return delays
}

async function changeAll(client: pg.Client, open: OpenStream[]): Promise<number> {
  const events = Promise.all(open.map(({ nextEventAt }) => nextEventAt()))
  await client.query(`update generations set state = 'running', started_at = now(), progress = 0.5 where id = any($1)`, [
    open.map(({ id }) => id),
  ])
  const committed = performance.now()
  return Math.max(...(await events)) - committed
}
