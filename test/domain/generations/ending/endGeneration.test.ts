import { afterAll, expect, test, vi } from 'vitest'
import { contextFor } from '../../../../src/domain/context.ts'
import { endGeneration } from '../../../../src/domain/generations/ending/endGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const connections = 3
const { services, close } = await testServices({ poolMax: connections })
afterAll(close)

async function aStarted(): Promise<string> {
  const team = await aTeamWithKey(services)
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
  const { generation } = await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
  return generation.generationId
}

const waitingForTheTable = `select 1 from pg_locks where not granted and relation = 'generations'::regclass
  and database = (select oid from pg_database where datname = current_database())`

test('an end that waits while a newer release adds a column to the table succeeds', async () => {
  const ids = await Promise.all(Array.from({ length: connections + 1 }, aStarted))
  const [id = '', ...others] = ids
  const cancel = (each: string) => endGeneration(contextFor(services, { kind: 'system' }), each, { by: 'caller', to: 'cancelled' })
  // Every connection has planned the function with the old table.
  await Promise.all(others.map(cancel))
  const newer = await services.pool.connect()
  try {
    await newer.query('begin')
    await newer.query(`alter table generations add column of_a_newer_release text not null default 'given'`)
    const ending = cancel(id)
    await vi.waitFor(async () => expect((await services.pool.query(waitingForTheTable)).rowCount).toBe(1), { interval: 5 })
    await newer.query('commit')
    expect(await ending).toMatchObject({ id, state: 'cancelled', creditsCharged: 0 })
  } finally {
    newer.release()
  }
})
