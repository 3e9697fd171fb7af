import { afterAll, expect, test } from 'vitest'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { purgeDeletedOwners } from '../../../../src/domain/generations/retention/purgeDeletedOwners.ts'
import { deliveryBodies } from '../../../../src/domain/webhooks/deliveries/findDelivery.ts'
import { pruneSharedBodies } from '../../../../src/domain/webhooks/deliveries/sharedBodies.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const context = aServiceContext(services)

async function aTeamWithHooks(count: number) {
  const team = await aTeamWithKey(services)
  for (let hook = 0; hook < count; hook++) await aSubscription(services, team, `http://127.0.0.1:9/${hook}`)
  const deliveries = async () => {
    const { rows } = await services.pool.query<{ id: string; own: number; body_id: string | null }>(
      `select d.id, octet_length(d.body) as own, d.body_id from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
         where s.team_id = $1 order by d.id`,
      [team.team.id],
    )
    return rows
  }
  return { team, deliveries }
}
const stored = async () => (await services.pool.query('select count(*)::integer as count from webhook_bodies')).rows[0].count

test('a body without a result is stored once for all subscriptions, and each delivery has it with its own identifier', async () => {
  const { team, deliveries } = await aTeamWithHooks(10)
  const before = await stored()
  await anEnding(team, 'cancelled')
  const rows = await deliveries()
  expect([rows.length, rows.reduce((sum, { own }) => sum + own, 0), (await stored()) - before]).toEqual([10, 0, 1])
  const bodies = await deliveryBodies(
    context,
    rows.map(({ id }) => id),
  )
  const read = bodies.map((body) => JSON.parse(String(body)))
  expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  expect(new Set(read.map((each) => JSON.stringify({ ...each, id: '' }))).size).toBe(1)
  expect(read[0]).toMatchObject({ event: 'generation.cancelled', data: { generation: { state: 'cancelled', prompt: 'a grey square' } } })
})

test('bodies with different links of an inactive key are stored per delivery, and so is the body of a single delivery', async () => {
  const before = await stored()
  const [many, single] = [await aTeamWithHooks(3), await aTeamWithHooks(1)]
  await anEnding(many.team, 'ready', { before: () => revokeKey(context, many.team.key.id) })
  await anEnding(single.team, 'ready')
  const rows = [...(await many.deliveries()), ...(await single.deliveries())]
  expect(rows.map(({ own, body_id: shared }) => own > 100 && shared === null)).toEqual([true, true, true, true])
  expect(await stored()).toBe(before)
})

test('shared bodies are deleted with their team, and when no delivery can refer to them', async () => {
  const { team } = await aTeamWithHooks(2)
  await anEnding(team, 'failed')
  const before = await stored()
  await deleteTeam(context, { teamId: team.team.id, name: team.team.name })
  while ((await services.pool.query('select from teams where deleted_at is not null and forgotten_at is null')).rowCount) {
    await purgeDeletedOwners(context)
  }
  expect(await stored()).toBe(before - 1)
  expect(await pruneSharedBodies(context)).toBe(0)
  await clock.advance(96 * 86_400_000)
  expect(await pruneSharedBodies(context)).toBe(before - 1)
})
