import type { Pool } from 'pg'
import { expect, vi } from 'vitest'

/** As if all running jobs had exceeded every grace period. */
export async function ageLocks(pool: Pool): Promise<void> {
  await pool.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_by is not null`)
}

/** Resolves after the next sweep of orphaned jobs. */
export async function orphansSwept(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select id from graphile_worker.add_job('nobody')`)
  const lock = `update graphile_worker._private_jobs set locked_by = 'pool_gone', locked_at = now() - interval '1 minute' where id = $1`
  await pool.query(lock, [rows[0]?.id])
  const free = 'select 1 from graphile_worker._private_jobs where id = $1 and locked_by is null'
  await vi.waitFor(async () => expect((await pool.query(free, [rows[0]?.id])).rows).toHaveLength(1), { timeout: 15_000 })
}
