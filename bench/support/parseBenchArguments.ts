import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The options of a run. `json`: the file to write; `compare`: the file to compare with. */
export type BenchOptions = { groups: string[]; postgresPrograms?: string; json?: string; compare?: string }

/**
 * Parses `read start --postgres /usr/lib/postgresql/15/bin --json before.json`; a file name after `--json` ends in `.json`, and may be
 * missing. Throws for a group that is not in `known`.
 */
export function parseBenchArguments(words: string[], known: string[]): BenchOptions {
  const args = words.flatMap((word, index) => (word === '--json' && !words[index + 1]?.endsWith('.json') ? ['--json=bench.json'] : [word]))
  const options = { postgres: { type: 'string' }, json: { type: 'string' }, compare: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown groups: ${unknown.join(', ')}; known: ${known.join(', ')}`)
  const { postgres, json, compare } = values
  return {
    groups: positionals,
    ...(postgres === undefined ? {} : { postgresPrograms: resolve(postgres) }),
    ...(json === undefined ? {} : { json: resolve(json) }),
    ...(compare === undefined ? {} : { compare: resolve(compare) }),
  }
}
