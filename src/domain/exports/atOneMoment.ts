import type { Context } from '../context.ts'
import { makeReadRouter } from '../readRouter.ts'
import { bindSql } from '../sql.ts'

/**
 * Hands on what `read` gives, with all its statements on one snapshot of the primary, which cannot write. Each look through the entity
 * manager has one of its own, so that none keeps what was read before. Keep it short: clearing up waits for the oldest snapshot.
 */
export async function* atOneMoment<Value>(context: Context, read: (inside: Context) => AsyncIterable<Value>): AsyncGenerator<Value> {
  const client = await context.pool.connect()
  let broken = true
  try {
    await client.query('begin isolation level repeatable read, read only')
    const em = () => context.entityManagerOn(client)
    yield* read({ ...context, sql: bindSql(client), em, history: makeReadRouter(undefined, context), isTransaction: true })
    await client.query('commit')
    broken = false
  } finally {
    client.release(broken)
  }
}
