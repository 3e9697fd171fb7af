import { afterAll, expect, test } from 'vitest'
import { accountStatus } from '../../../src/domain/access/keys/accountStatus.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

async function startOne(team: Awaited<ReturnType<typeof aTeamWithKey>>): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', axes: { version: 'pro' } }
  const { generation } = await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
  return generation.generationId
}

async function cancelBegun(team: Awaited<ReturnType<typeof aTeamWithKey>>, id: string): Promise<void> {
  await endAtOnce(team.context, id, { to: 'cancelled', charged: true })
}

async function spentToday(team: Awaited<ReturnType<typeof aTeamWithKey>>): Promise<unknown> {
  const status = await accountStatus(team.context, team.actor)
  return (status as { key: { limits: { daily: { spentCredits: number } } } }).key.limits.daily.spentCredits
}

test('a charge dated before midnight does not reset the spending of the new day', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const [first, second, late] = [await startOne(team), await startOne(team), await startOne(team)]
  await clock.set(new Date('2027-03-02T00:00:00.500Z'))
  await cancelBegun(team, first)
  await cancelBegun(team, second)
  await clock.set(new Date('2027-03-01T23:59:59.500Z'))
  await cancelBegun(team, late)

  await clock.set(new Date('2027-03-02T00:00:01.000Z'))
  expect(await spentToday(team)).toBe(16)
})

test('the spending of yesterday does not count today', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  await clock.set(new Date('2027-03-01T12:00:00.000Z'))
  await cancelBegun(team, await startOne(team))
  const yesterday = await spentToday(team)
  await clock.set(new Date('2027-03-02T00:00:00.000Z'))

  expect(yesterday).toBe(8)
  expect(await spentToday(team)).toBe(0)
})
