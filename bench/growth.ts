import { checkBooks } from '../src/domain/credits/checkBooks.ts'
import { expireFiles } from '../src/domain/files/expireFiles.ts'
import { type Fixture, makeTeam, openFixture } from './support/fixture.ts'
import { readsOf } from './support/growthReads.ts'
import { insideFixture } from './support/insideFixture.ts'
import { latencyOf, quantile, type Read } from './support/latency.ts'
import { type HistorySize, loadHistory, type MeasuredTeams, withSubscription } from './support/loadHistory.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'

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
/** A read whose p99 is above the aim after the first rounds is measured in more, because a p99 of few samples is noise. */
const rounds = { least: 3, most: 9 }
/** A round of a read ends at the first of both, so that all reads take less than ten minutes. */
const roundLimit = { requests: 200, milliseconds: 150 }
const warmUpRequests = 10
const aim = 1.5
const serviceToken = 'a-service-token-of-the-benchmarks-alone'

/** Measures each list and read in a large database beside the same in a small one, in turns. */
export async function benchGrowth(postgresPrograms: string | undefined): Promise<Row[]> {
  const sides = [await openSide(grown, postgresPrograms), await openSide(small, postgresPrograms)] as const
  try {
    const [large, little] = sides
    const reads = await Promise.all(sides.map(({ latency, measured }) => readsOf(latency, measured, serviceToken)))
    const rows: Row[] = []
    for (const name of Object.keys(reads[0] ?? {})) {
      const compared = sides.flatMap(({ latency }, index) => {
        const read = reads[index]?.[name]
        return read === undefined ? [] : [{ latency, read }]
      })
      // A deep page is in both only if both have so many rows.
      if (compared.length === sides.length) rows.push(...(await rowsOf(name, compared)))
    }
    return [...rows, ...(await maintenanceRows(large.fixture)), ...(await maintenanceRows(little.fixture)).map(smallDatabaseRow)]
  } finally {
    for (const { close } of sides) await close()
  }
}

type Compared = { latency: ReturnType<typeof latencyOf>; read: Read }

/** A quantile is the median of those of the rounds, so that one disturbed round does not change it. */
async function rowsOf(name: string, sides: Compared[]): Promise<Row[]> {
  const taken: number[][][] = sides.map(() => [])
  const quantilesOf = (part: number) => taken.map((ofRounds) => median(ofRounds.map((values) => quantile(values, part))))
  const isAbove = () => {
    const [grownP99 = Number.NaN, emptyP99 = Number.NaN] = quantilesOf(0.99)
    return grownP99 > aim * emptyP99
  }
  for (const { latency, read } of sides) await takeOrFail(name, latency, read, { ...roundLimit, requests: warmUpRequests })
  for (let round = 0; round < rounds.least || (round < rounds.most && isAbove()); round += 1) {
    for (const [index, { latency, read }] of sides.entries()) taken[index]?.push(await takeOrFail(name, latency, read, roundLimit))
  }
  return Object.entries({ p50: 0.5, p99: 0.99 }).map(([quantileName, part]) => {
    const [ours = Number.NaN, empty = Number.NaN] = quantilesOf(part)
    const limit = { name: 'a database as good as empty', value: empty }
    return { name: `${name}, ${quantileName}`, ours, unit: 'ms', limit, aim: `<= ${aim}` }
  })
}

/** A failed read, such as a timeout, must not discard the other rows. */
async function takeOrFail(name: string, latency: Compared['latency'], read: Read, limit: typeof roundLimit): Promise<number[]> {
  return await latency.take(read, limit).catch((error: Error) => {
    process.stderr.write(`${name}: ${error.message.slice(0, 200)}\n`)
    return [Number.POSITIVE_INFINITY]
  })
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
