import type { Context } from '../context.ts'
import { partitionedTables } from '../partitionedTables.ts'
import { statement } from '../sql.ts'

const make = statement<{ made: string[] }>('make_partitions', 'select make_partitions($1) as made')

/**
 * Makes the partitions that are missing, some months or weeks ahead: a few in each transaction, by one process at a time.
 * Harmless when repeated. Returns their names. Refusals: service_unavailable where a lock could not be had in a moment; the next call
 * makes the rest. Locks, for moments: a table's default partition.
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
