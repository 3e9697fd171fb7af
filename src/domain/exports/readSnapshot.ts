import type { Context } from '../context.ts'
import { makeReadRouter } from '../readRouter.ts'
import { bindSql } from '../sql.ts'

/**
 * Yields the values of `read`, which runs in one read-only snapshot of the primary. Each `em()` call returns a new entity manager, so
 * that read rows do not pile up in memory. Keep it short: vacuum waits for the oldest snapshot.
 */
export async function* readSnapshot<Value>(context: Context, read: (inside: Context) => AsyncIterable<Value>): AsyncGenerator<Value> {
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
