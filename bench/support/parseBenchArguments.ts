import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What a run of the benchmarks was asked for. */
export type Asked = { groups: string[]; postgresPrograms: string | undefined }

/** Reads `read start --postgres /usr/lib/postgresql/15/bin`. Throws for a group that is not among `known`. */
export function parseBenchArguments(words: string[], known: string[]): Asked {
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options: { postgres: { type: 'string' } } })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no such rows: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return { groups: positionals, postgresPrograms: values.postgres === undefined ? undefined : resolve(values.postgres) }
}
