import DataLoader from 'dataloader'
import type { Pool } from 'pg'
import type { Services } from './context.ts'
import { bindSql, type Sql, type Statement } from './sql.ts'

/** Reads the values of several keys with one statement: one value per key, in the order of the keys, `undefined` for a missing one. */
type Load<Key, Value> = (sql: Sql, keys: readonly Key[]) => Promise<(Value | undefined)[]>

/**
 * Batches reads of all requests of the process: reads in the same turn of the event loop share one statement. Values are not cached
 * between turns, so a value is never older than its read.
 */
export function batchLoader<Key, Value>(
  load: Load<Key, Value>,
): (services: Pick<Services, 'pool'>, key: Key) => Promise<Value | undefined> {
  const loaders = new WeakMap<Pool, DataLoader<Key, Value | undefined>>()
  return ({ pool }, key) => {
    let loader = loaders.get(pool)
    if (!loader) {
      const sql = bindSql(pool)
      const options = { cache: false, batchScheduleFn: (run: () => void) => void setImmediate(run) }
      loader = new DataLoader((keys) => load(sql, keys), options)
      loaders.set(pool, loader)
    }
    return loader.load(key)
  }
}

/** A {@link batchLoader} of a statement that reads rows by their identifiers, in any order. `$1`: the identifiers. */
export function rowLoader<Row extends { id: string }>(
  rows: Statement<Row>,
): (services: Pick<Services, 'pool'>, id: string) => Promise<Row | undefined> {
  return batchLoader<string, Row>(async (sql, ids) => {
    const found = new Map((await sql.all(rows, [ids])).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  })
}
