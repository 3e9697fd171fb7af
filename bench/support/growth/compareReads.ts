import { type latencyOf, quantile, type Read } from '../latency.ts'
import type { MeasuredTeams } from '../loadHistory.ts'
import { median, type Row } from '../table.ts'
import { readsOf } from './readsOf.ts'

/** A read whose p99 is above the aim after the first rounds is measured in more, because a p99 of few samples is noise. */
const rounds = { least: 3, most: 9 }
/** A round of a read ends at the first of these limits, so that all reads take less than ten minutes. */
const roundLimit = { requests: 200, milliseconds: 150 }
const warmUpRequests = 10
const aim = 1.5

/** A service with its database. The first one is large, the second almost empty. */
type Side = { latency: ReturnType<typeof latencyOf>; measured: MeasuredTeams }

/** Measures every read of both services in turns. */
export async function compareReads(sides: readonly Side[], serviceToken: string): Promise<Row[]> {
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
  return rows
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
