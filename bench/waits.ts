import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Fixture } from './support/fixture.ts'
import { residentMemory } from './support/residentMemory.ts'
import { startAll } from './support/startAll.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

const waits = 1000
const ends = 100

/** Measures open waits in one process: memory, database connections, and the delay from the end of a generation to the response. */
export async function benchWaits(fixture: Fixture): Promise<Row[]> {
  const http = await startCommand('serve', fixture.env)
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  const agent = new Agent({ keepAlive: true, maxSockets: waits + 10 })
  try {
    const ids = await startAll(http.url, fixture, { count: waits })
    const before = await residentMemory(http.pid)
    const answered = ids.map((id) => waitFor(agent, `${http.url}/api/v1/generations/${id}?wait=60`, fixture.key))
    await pause(3000)
    const during = await residentMemory(http.pid)
    const busy = await client.query(
      `select count(*) from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    const delays = await endSome(client, ids.slice(0, ends), answered)
    await client.query(`update generations set state = 'cancelled', finished_at = now(), credits_charged = 0 where finished_at is null`)
    await client.query(`select pg_notify('generation', id) from generations`)
    await Promise.all(answered)
    return [
      { name: `${waits} open waits, memory`, ours: during - before, unit: 'MB', aim: '< 100' },
      { name: `${waits} open waits, busy connections`, ours: Number(busy.rows[0].count), unit: '', aim: '0' },
      { name: 'commit to answer of a wait, median', ours: median(delays), unit: 'ms', aim: '< 100' },
    ]
  } finally {
    agent.destroy()
    await client.end()
    await http.stop()
  }
}

/** Ends generations one by one, and measures each from its commit to the response. */
async function endSome(client: pg.Client, ids: string[], answered: Promise<number>[]): Promise<number[]> {
  const delays: number[] = []
  for (const [index, id] of ids.entries()) {
    await client.query(`select end_generation($1, '{queued}', 'cancelled', null, false, null, null)`, [id])
    const committed = performance.now()
    delays.push(Math.max(0, ((await answered[index]) ?? 0) - committed))
  }
  return delays
}

/** Resolves with the time of the response. */
function waitFor(agent: Agent, url: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const waiting = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once('end', () => resolve(performance.now()))
    })
    waiting.once('error', reject)
    waiting.end()
  })
}
