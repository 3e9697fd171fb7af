import { afterAll, beforeEach, expect, test } from 'vitest'
import { lastHeartbeat } from '../../src/domain/lastHeartbeat.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

beforeEach(async () => {
  await services.pool.query(`delete from processes;
    insert into processes (id, roles, queues, heartbeat_at) values
      ('proc_a', '{worker}', '{generations,files}', '2026-11-24T11:00:00Z'),
      ('proc_b', '{worker}', '{deliveries}', '2026-11-24T11:30:00Z')`)
})

test('the last heartbeat of a role, or of the processes that took one of the queues', async () => {
  expect((await lastHeartbeat(services, { role: 'worker' }))?.toISOString()).toBe('2026-11-24T11:30:00.000Z')
  const queues = ['files', 'maintenance'] as const
  expect((await lastHeartbeat(services, { role: 'worker', queues }))?.toISOString()).toBe('2026-11-24T11:00:00.000Z')
})

test('without a stored worker, the last success of a routine tells when one worked last', async () => {
  await services.pool.query(`delete from processes; update routines set ended_at = '2026-11-24T10:00:00Z'`)
  for (const queues of [undefined, ['maintenance'] as const]) {
    expect((await lastHeartbeat(services, { role: 'worker', ...(queues && { queues }) }))?.toISOString()).toBe('2026-11-24T10:00:00.000Z')
  }
  expect(await lastHeartbeat(services, { role: 'worker', queues: ['files', 'maintenance'] })).toBeUndefined()
  expect(await lastHeartbeat(services, { role: 'http' })).toBeUndefined()
})

test('a role or queue that no stored process has is unknown', async () => {
  await services.pool.query('update routines set ended_at = null')
  expect(await lastHeartbeat(services, { role: 'http' })).toBeUndefined()
  expect(await lastHeartbeat(services, { role: 'worker', queues: ['maintenance'] })).toBeUndefined()
})
