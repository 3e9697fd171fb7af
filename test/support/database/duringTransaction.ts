import type { Pool, PoolClient } from 'pg'
import { expect } from 'vitest'

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Runs `work` while the transaction of `change` is open, and commits it when a statement of `work` waits for one of its locks. */
export async function duringTransaction<Result>(
  pool: Pool,
  change: (client: PoolClient) => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await change(client)
    const working = work()
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 10, timeout: 5_000 }).toBe(1)
    await client.query('commit')
    return await working
  } finally {
    client.release(true)
  }
}
