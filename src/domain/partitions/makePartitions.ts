import type { Context } from '../context.ts'
import { partitionedTables } from '../partitionedTables.ts'
import { statement } from '../sql.ts'

const make = statement<{ made: string[] }>('make_partitions', 'select make_partitions($1) as made')

/**
 * Creates missing partitions, some months or weeks ahead: a few per transaction, by one process at a time. Idempotent. Returns their
 * names. Refusals: service_unavailable when a lock was not free at once; the next call creates the rest. Locks: a table's default
 * partition, briefly.
 */
export async function makePartitions({ sql }: Pick<Context, 'sql'>): Promise<string[]> {
  const made: string[] = []
  for (const table of partitionedTables) {
    for (;;) {
      const some = (await sql.one(make, [table]))?.made ?? []
      if (some.length === 0) break
      made.push(...some)
    }
  }
  return made
}
