import { cpuMeter } from './support/cpu.ts'
import { type Fixture, startProcess } from './support/fixture.ts'
import { load } from './support/load.ts'
import { startAll } from './support/startAll.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

const connections = 50

/** Measures GET of one generation through the whole service, beside a bare Fastify with one prepared statement, in turns. */
export async function benchRead(fixture: Fixture, { rounds = 3, seconds = 4 } = {}): Promise<Row> {
  const service = await startCommand('serve', fixture.env)
  const bare = await startProcess(new URL('./processes/bareFastify.ts', import.meta.url), fixture.env)
  try {
    const [id] = await startAll(service.url, fixture, { count: 1 })
    const headers = { authorization: `Bearer ${fixture.key}` }
    const ours: number[] = []
    const theirs: number[] = []
    const meter = cpuMeter({ serverPids: [service.pid], clusterFolder: fixture.clusterFolder })
    for (let round = 0; round <= rounds; round++) {
      const get = () => load({ urls: [`${service.url}/api/v1/generations/${id}`], connections, seconds, headers })
      const own = await (round > 0 ? meter.during(get) : get())
      const other = await load({ urls: [`${bare.firstMessage}/generations/${id}`], connections, seconds })
      // The first round is a warm-up.
      if (round > 0) {
        ours.push(own.rate)
        theirs.push(other.rate)
      }
    }
    const limit = { name: 'bare Fastify, one prepared statement', value: median(theirs) }
    return { name: 'GET one generation', ours: median(ours), unit: 'req/s', cpu: meter.perUnit(), limit, aim: '>= 0.6, <= 150 µs' }
  } finally {
    await service.stop()
    await bare.stop()
  }
}
