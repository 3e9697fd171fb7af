import { cpuMeter } from './support/cpu.ts'
import { type Fixture, startProcess } from './support/fixture.ts'
import { load } from './support/load.ts'
import { median, type Row } from './support/table.ts'

const connections = 32
const seconds = 4
const rounds = 3

/** Measures GET of one generation through the whole service, beside a bare Fastify with one prepared statement, in turns. */
export async function benchRead(fixture: Fixture): Promise<Row> {
  const service = await startProcess(new URL('./processes/service.ts', import.meta.url), { ...fixture.env, BENCH_ROLES: 'http' })
  const bare = await startProcess(new URL('./processes/bareFastify.ts', import.meta.url), fixture.env)
  try {
    const id = await firstGeneration(String(service.firstMessage), fixture)
    const headers = { authorization: `Bearer ${fixture.key}` }
    const ours: number[] = []
    const theirs: number[] = []
    const meter = cpuMeter({ serverPids: [service.child.pid ?? 0], clusterFolder: fixture.clusterFolder })
    for (let round = 0; round <= rounds; round++) {
      const get = () => load({ url: `${service.firstMessage}/api/v1/generations/${id}`, connections, seconds, headers })
      const own = await (round > 0 ? meter.during(get) : get())
      const other = await load({ url: `${bare.firstMessage}/generations/${id}`, connections, seconds })
      // The first round is a warm-up.
      if (round > 0) {
        ours.push(own.rate)
        theirs.push(other.rate)
      }
    }
    const limit = { name: 'bare Fastify, one prepared statement', value: median(theirs) }
    return { name: 'GET one generation', ours: median(ours), unit: 'req/s', cpu: meter.perUnit(), limit, aim: '>= 0.6, <= 220 µs' }
  } finally {
    await service.stop()
    await bare.stop()
  }
}

async function firstGeneration(url: string, fixture: Fixture): Promise<string> {
  const response = await fetch(`${url}/api/v1/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ familyId: 'bench-image', prompt: 'a lighthouse' }),
  })
  const { generationId } = (await response.json()) as { generationId: string }
  return generationId
}
