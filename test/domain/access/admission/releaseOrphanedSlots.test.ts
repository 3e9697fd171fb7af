import { afterAll, expect, test } from 'vitest'
import { releaseOrphanedSlots } from '../../../../src/domain/access/admission/releaseOrphanedSlots.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('slots of removed processes are released, and slots of running processes stay', async () => {
  const { pool } = services
  await pool.query(`insert into processes (id, roles) values ('proc_living', '{http}')`)
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values
    ('user:a', 0, 0, '{"proc_gone": 32, "proc_living": 2}'), ('user:b', 0, 0, '{"proc_gone": 1}'), ('user:c', 0, 0, '{"proc_living": 1}')`)
  const context = contextFor(services, { kind: 'system' })
  expect([await releaseOrphanedSlots(context), await releaseOrphanedSlots(context)]).toEqual([2, 0])
  const { rows } = await pool.query('select in_progress from request_counts order by subject')
  expect(rows.map(({ in_progress: slots }) => slots)).toEqual([{ proc_living: 2 }, {}, { proc_living: 1 }])
})
