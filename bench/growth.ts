import { checkBooks } from '../src/domain/credits/checkBooks.ts'
import { expireFiles } from '../src/domain/files/expireFiles.ts'
import { type Fixture, makeTeam, openFixture } from './support/fixture.ts'
import { compareReads } from './support/growth/compareReads.ts'
import { insideFixture } from './support/insideFixture.ts'
import { latencyOf } from './support/latency.ts'
import { type HistorySize, loadHistory, type MeasuredTeams, withSubscription } from './support/loadHistory.ts'
import { startCommand } from './support/startCommand.ts'
import type { Row } from './support/table.ts'

/** The fraction of the full data, for a quick run: `BENCH_GROWTH=0.01 npm run bench -- growth`. */
const share = Number(process.env['BENCH_GROWTH'] ?? 1)
const grown: HistorySize = {
  teams: 2000,
  generations: 3_000_000 * share,
  deliveries: 1_500_000 * share,
  files: 1_000_000 * share,
  auditEntries: 3_000_000 * share,
}
/** Almost empty, but with a page of each list, so that both sides return the same amount. */
const small: HistorySize = { teams: 3, generations: 3000, deliveries: 1000, files: 1000, auditEntries: 3000 }

/** Loading writes more WAL than the default of 1 GB, and checkpoints in between would write each page several times. */
const loadSettings = { max_wal_size: '12GB', checkpoint_timeout: '1h' }

const clients = 2
const serviceToken = 'a-service-token-of-the-benchmarks-alone'

/** Measures each list and read in a large database beside the same in a small one, in turns. */
export async function benchGrowth(postgresPrograms: string | undefined): Promise<Row[]> {
  const sides = [await openSide(grown, postgresPrograms), await openSide(small, postgresPrograms)] as const
  try {
    const [large, little] = sides
    const rows = await compareReads(sides, serviceToken)
    return [...rows, ...(await maintenanceRows(large.fixture)), ...(await maintenanceRows(little.fixture)).map(smallDatabaseRow)]
  } finally {
    for (const { close } of sides) await close()
  }
}

type Side = { fixture: Fixture; measured: MeasuredTeams; latency: ReturnType<typeof latencyOf>; close(): Promise<void> }

async function openSide(size: HistorySize, postgresPrograms: string | undefined): Promise<Side> {
  const opened = await openFixture({ ...(postgresPrograms === undefined ? {} : { postgresPrograms }), settings: loadSettings })
  const env = { ...opened.env, SERVICE_TOKEN: serviceToken }
  const fixture = { ...opened, env }
  const measured = await insideFixture(fixture, async (context) => ({
    large: await withSubscription(context, fixture),
    average: await withSubscription(context, await makeTeam(context, 'average')),
  }))
  await loadHistory(fixture.databaseUrl, size, measured)
  const service = await startCommand('serve', env)
  const latency = latencyOf(service.url, clients)
  const close = async () => {
    await latency.close()
    await service.stop()
    await fixture.close()
  }
  return { fixture, measured, latency, close }
}

async function maintenanceRows(fixture: Fixture): Promise<Row[]> {
  return await insideFixture(fixture, async (context) => {
    const startedAt = performance.now()
    const books = await checkBooks(context)
    if (!books.clean) throw new Error(`the books do not balance: ${books.faults.slice(0, 3).join('; ')}`)
    const booksSeconds = (performance.now() - startedAt) / 1000
    const removing = performance.now()
    const removed = await expireFiles(context)
    return [
      { name: 'check of the books', ours: booksSeconds, unit: 's' },
      { name: 'files past their time, removed', ours: removed / ((performance.now() - removing) / 1000), unit: '/s', aim: '>= 100' },
    ]
  })
}

function smallDatabaseRow(row: Row): Row {
  return { ...row, name: `${row.name}, as good as empty` }
}
