import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The options of a run. */
export type BenchOptions = { groups: string[]; postgresPrograms: string | undefined }

/** Parses `read start --postgres /usr/lib/postgresql/15/bin`. Throws for a group that is not in `known`. */
export function parseBenchArguments(words: string[], known: string[]): BenchOptions {
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options: { postgres: { type: 'string' } } })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown groups: ${unknown.join(', ')}; known: ${known.join(', ')}`)
  return { groups: positionals, postgresPrograms: values.postgres === undefined ? undefined : resolve(values.postgres) }
}
