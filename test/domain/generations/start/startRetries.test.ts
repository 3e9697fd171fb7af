import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../../../src/contract/refusals/refusals.ts'
import { accountOf, grantCredits } from '../../../../src/domain/credits/grantCredits.ts'
import { cancelGeneration } from '../../../../src/domain/generations/ending/cancelGeneration.ts'
import { readGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { productionTimeouts, testServices } from '../../../support/services.ts'

const here = await testServices(productionTimeouts)
const there = await testServices({ databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
})

const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const times = <Value>(count: number, make: (index: number) => Value) => Array.from({ length: count }, (_, index) => make(index))

const codeOf = (error: unknown) => {
  if (error instanceof Refusal) return error.code
  throw error
}

/** Locks the row of the account from another process until `release`, like a hanging database client. */
async function lockAccount({ spender }: TeamWithKey): Promise<{ release(): Promise<void> }> {
  const client = await there.services.pool.connect()
  await client.query('begin')
  await client.query('select from credit_accounts where id = $1 for update', [spender.accountId])
  const release = async () => {
    await client.query('commit')
    client.release()
  }
  return { release }
}

test('while the account of one team is locked its requests are answered in time, and all starts and reads of another team succeed', async () => {
  const [busy, free] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const startOf = ({ context, spender }: TeamWithKey) => startGeneration(context, spender, { request })
  const tool = aServiceContext(here.services)
  const grant = { credits: 1, note: 'test' }
  const open = await Promise.all(times(32, () => startOf(busy)))
  const lock = await lockAccount(busy)
  // Each wave waits for its own answers.
  for (const wave of [1, 2]) {
    const since = performance.now()
    const answered = (promise: Promise<unknown>) =>
      promise.then(() => 'done', codeOf).then((answer) => ({ answer, inTime: performance.now() - since < 5_000 }))
    const cancels = open.map(({ generation }) => answered(cancelGeneration(busy.context, busy.spender, String(generation.generationId))))
    const starts = times(32, () => answered(startOf(busy)))
    const grants = times(12, (index) => answered(grantCredits(tool, { ...grant, teamId: busy.team.id, idempotencyKey: `${index}` })))
    const own = await Promise.all(times(5, () => startOf(free)))
    const reads = await Promise.all(
      times(44, (index) => readGeneration(free.context, free.team.id, String(own[index % 5]?.generation.generationId))),
    )
    expect([wave, own.length, reads.length]).toEqual([wave, 5, 44])
    const answers = await Promise.all([...starts, ...cancels, ...grants])
    expect(answers).toEqual(times(76, () => ({ answer: 'service_unavailable', inTime: true })))
  }
  await lock.release()
  expect((await startOf(busy)).generation.state).toBe('queued')
  expect((await accountOf(tool, { teamId: busy.team.id }))?.held).toBe(3300)
})
