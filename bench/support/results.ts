import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { printColumns, type Row, rounded } from './table.ts'

/** A recorded run. */
type Results = { measuredAt: string; node: string; processors: number; rows: Row[] }

/** Writes the rows of a run, for `compareWith` of a later one. */
export async function writeResults(file: string, rows: Row[]): Promise<void> {
  const results: Results = { measuredAt: new Date().toISOString(), node: process.version, processors: availableParallelism(), rows }
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`)
}

/** Prints the change of each row since the recorded run. Counts and processor time compare across machines better than rates. */
export async function compareWith(file: string, rows: Row[]): Promise<void> {
  const before = JSON.parse(await readFile(file, 'utf8')) as Results
  process.stdout.write(`\ncompared with ${file}: ${before.measuredAt}, Node ${before.node}, ${before.processors} processors\n`)
  const lines = rows.map((row) => {
    const earlier = before.rows.find(({ name }) => name === row.name)
    return [
      row.name,
      change(earlier?.ours, row.ours, row.unit),
      change(ratio(earlier), ratio(row), ''),
      change(earlier?.cpu?.serverMicros, row.cpu?.serverMicros, 'µs'),
      change(earlier?.cpu?.databaseMicros, row.cpu?.databaseMicros, 'µs'),
    ]
  })
  printColumns([['row', 'value', 'ratio', 'server CPU', 'PostgreSQL CPU'], ...lines])
  const missing = before.rows.filter(({ name }) => !rows.some((row) => row.name === name))
  if (missing.length > 0) process.stdout.write(`not measured this time: ${missing.map(({ name }) => name).join('; ')}\n`)
}

function ratio(row: Row | undefined): number | undefined {
  return row?.limit && row.ours / row.limit.value
}

function change(before: number | undefined, now: number | undefined, unit: string): string {
  if (now === undefined) return ''
  const value = `${rounded(now)} ${unit}`.trim()
  if (before === undefined) return `${value} (new)`
  const percent = before === 0 ? 0 : Math.round((now / before - 1) * 100)
  return `${rounded(before)} → ${value} (${percent > 0 ? '+' : ''}${percent} %)`
}
