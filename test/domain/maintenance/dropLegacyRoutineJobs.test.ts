import { afterAll, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { dropLegacyRoutineJobs } from '../../../src/domain/maintenance/dropLegacyRoutineJobs.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('overdue routine jobs of an earlier release are removed; its current ones and all other jobs stay', async () => {
  const { pool } = services
  await pool.query(`select graphile_worker.add_job(task, run_at => now() - age) from (values
    ('prune', interval '2 minutes'), ('reconcile', interval '1 hour'), ('keepPartitions', interval '5 seconds'), ('removeObject', interval '1 hour')
  ) as jobs (task, age)`)
  await pool.query(`select graphile_worker.add_job('recountLedger', run_at => now() - interval '1 hour')`)
  await pool.query(`update graphile_worker._private_jobs j set locked_at = now(), locked_by = 'pool_of_another'
    from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'recountLedger'`)
  expect(await dropLegacyRoutineJobs(contextFor(services, { kind: 'system' }))).toBe(2)
  const { rows } = await pool.query('select task_identifier as task from graphile_worker.jobs order by 1')
  expect(rows.map(({ task }) => task)).toEqual(['keepPartitions', 'recountLedger', 'removeObject'])
})
