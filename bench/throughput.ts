import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import type { Fixture } from './support/fixture.ts'
import { startAll } from './support/startAll.ts'
import { startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

const generations = 1000

/** Measures generations per second from queued to ready (submit, poll, fetch, inspect, store, charge) in one worker process. */
export async function benchThroughput(fixture: Fixture): Promise<Row> {
  const http = await startCommand('serve', fixture.env)
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  try {
    await client.query('delete from graphile_worker._private_jobs')
    const ready = async () => Number((await client.query(`select count(*) from generations where state = 'ready'`)).rows[0].count)
    const before = await ready()
    await startAll(http.url, fixture, { count: generations })
    const worker = await startCommand('work', fixture.env)
    const meter = cpuMeter({ serverPids: [worker.pid], loadPids: [fixture.vendorPid], clusterFolder: fixture.clusterFolder })
    // Some ended while the worker started.
    const [early, startedAt] = [await ready(), performance.now()]
    const { count } = await meter.during(async () => {
      while ((await ready()) < before + generations) await new Promise((resolve) => setTimeout(resolve, 50))
      return { count: before + generations - early }
    })
    const seconds = (performance.now() - startedAt) / 1000
    await worker.stop()
    return { name: 'generations, queued to ready', ours: count / seconds, unit: '/s', cpu: meter.perUnit(), aim: '>= 120' }
  } finally {
    await client.end()
    await http.stop()
  }
}
