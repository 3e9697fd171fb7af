import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { pruneJobs } from '../../../src/domain/maintenance/pruneJobs.ts'
import { enqueue } from '../../../src/domain/queue.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('a job that was superseded while it ran, and then abandoned, is removed; all others stay', async () => {
  const { pool } = services
  const context = contextFor(services, { kind: 'system' })
  const add = (generationId: string) => enqueue(context, 'submitGeneration', { generationId }, { key: `generation:${generationId}` })
  const take = (holder: string) =>
    pool.query(`update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = attempts + 1`, [holder])
  await add('gen_superseded')
  await take('pool_gone')
  await add('gen_superseded')
  await pool.query(`select graphile_worker.force_unlock_workers(array['pool_gone'])`)
  await add('gen_running')
  await pool.query(`select graphile_worker.add_job('keyless')`)
  expect([await pruneJobs(context), await pruneJobs(context)]).toEqual([1, 0])
  const { rows } = await pool.query('select key from graphile_worker.jobs order by id')
  expect(rows.map(({ key }) => key)).toEqual(['generation:gen_superseded', 'generation:gen_running', null])
})

test('a superseded job that still runs stays', async () => {
  const { pool } = services
  await pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, key = null, locked_by = 'pool_living', locked_at = now()`,
  )
  expect(await pruneJobs(contextFor(services, { kind: 'system' }))).toBe(0)
})
