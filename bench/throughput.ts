import pg from 'pg'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, startProcess } from './support/fixture.ts'
import { startAll } from './support/startAll.ts'
import type { Row } from './support/table.ts'

const generations = 500

/** Measures generations per second from queued to ready (submit, poll, fetch, inspect, store, charge) in one worker process. */
export async function benchThroughput(fixture: Fixture): Promise<Row> {
  const http = await startProcess(new URL('./processes/service.ts', import.meta.url), { ...fixture.env, BENCH_ROLES: 'http' })
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  try {
    await client.query('delete from graphile_worker._private_jobs')
    const ready = async () => Number((await client.query(`select count(*) from generations where state = 'ready'`)).rows[0].count)
    const before = await ready()
    await startAll(String(http.firstMessage), fixture, generations)
    const worker = await startProcess(new URL('./processes/service.ts', import.meta.url), { ...fixture.env, BENCH_ROLES: 'worker' })
    const startedAt = performance.now()
    const meter = cpuMeter({ serverPids: [worker.child.pid ?? 0], clusterFolder: fixture.clusterFolder })
    await meter.during(async () => {
      while ((await ready()) < before + generations) await new Promise((resolve) => setTimeout(resolve, 20))
      return { count: generations }
    })
    const seconds = (performance.now() - startedAt) / 1000
    await worker.stop()
    return { name: 'generations, queued to ready', ours: generations / seconds, unit: '/s', cpu: meter.perUnit() }
  } finally {
    await client.end()
    await http.stop()
  }
}
