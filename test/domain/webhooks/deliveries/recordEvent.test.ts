import { afterAll, expect, test } from 'vitest'
import { webhookBody } from '../../../../src/contract/shapes/webhook.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { contextFor, transaction } from '../../../../src/domain/context.ts'
import { openResultLink } from '../../../../src/domain/generations/links/openResultLink.ts'
import { openResultToken } from '../../../../src/domain/generations/links/resultLink.ts'
import { presentGeneration } from '../../../../src/domain/generations/reading/presentGeneration.ts'
import { findGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { deliveryBodies, type LoggedDelivery } from '../../../../src/domain/webhooks/deliveries/findDelivery.ts'
import { listDeliveries } from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { recordEvent } from '../../../../src/domain/webhooks/deliveries/recordEvent.ts'
import { deleteSubscription } from '../../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { updateSubscription } from '../../../../src/domain/webhooks/subscriptions/updateSubscription.ts'
import { webhookEvents } from '../../../../src/entities/WebhookSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { endAtOnce } from '../../../support/generations/generationTransitions.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)
const context = () => aServiceContext(services)
const nowhere = 'http://127.0.0.1:9/hook'

/** The log of a subscription, oldest event first. */
async function logOf({ subscription }: { subscription: { id: string } }): Promise<(LoggedDelivery & { body: string })[]> {
  const log = await listDeliveries(context(), { subscriptionIds: [subscription.id] }, { limit: 1000, fromTheEnd: true })
  const bodies = await deliveryBodies(
    context(),
    log.map(({ id }) => id),
  )
  return log.map((delivery, index) => ({ ...delivery, body: String(bodies[index]) }))
}
const bodyOf = ({ body }: { body: string }) => JSON.parse(body)

test('each end of a generation sends one event to the subscriptions to it', async () => {
  const team = await aTeamWithKey(services)
  const all = await aSubscription(services, team, nowhere)
  const failures = await aSubscription(services, team, nowhere, ['generation.failed'])
  const ids = [await anEnding(team, 'ready'), await anEnding(team, 'failed'), await anEnding(team, 'cancelled')]
  const events = (await logOf(all)).map((delivery) => [delivery.event, bodyOf(delivery).data.generation.generationId])
  expect(events).toEqual(webhookEvents.map((event, index) => [event, ids[index]]))
  expect((await logOf(failures)).map(({ event, eventNumber }) => [event, eventNumber])).toEqual([['generation.failed', 1]])
})

test('the body is fixed when the generation ends: identifier, event, time, and the generation as in a GET', async () => {
  const team = await aTeamWithKey(services)
  const subscribed = await aSubscription(services, team, nowhere)
  await clock.set('2026-04-01T10:20:30.456Z')
  const own = { reference: 'order 4711', metadata: { project: 'harbour' } }
  const id = await anEnding(team, 'ready', { own })
  const [delivery] = await logOf(subscribed)
  const body = webhookBody.parse(delivery && bodyOf(delivery))
  expect(Object.keys(body)).toEqual(['id', 'event', 'createdAt', 'data'])
  expect(body).toMatchObject({ id: delivery?.id, event: 'generation.completed', createdAt: '2026-04-01T10:20:30.456Z' })
  expect(Object.keys(body.data)).toEqual(['generation'])

  const found = await findGeneration(context(), id)
  const seen = found && presentGeneration(services, found, { kind: 'key', keyId: team.key.id })
  const { result, ...rest } = body.data.generation
  expect(rest).toEqual({ ...seen, result: undefined })
  expect(rest).toMatchObject(own)
  expect({ ...result, url: '' }).toEqual({ ...(seen?.['result'] as object), url: '' })
  const grant = openResultToken(services.ring, clock, result?.url?.split('/r/')[1] ?? '')
  expect(grant).toMatchObject({ generationId: id, holder: { kind: 'key', keyId: team.key.id } })
})

test('with a key revoked before the end, each subscription gets its own link, which its deletion revokes', async () => {
  const team = await aTeamWithKey(services)
  const [one, other] = [await aSubscription(services, team, nowhere), await aSubscription(services, team, nowhere)]
  const id = await anEnding(team, 'ready', { before: () => revokeKey(context(), team.key.id) })
  const tokenOf = async (subscribed: typeof one) =>
    bodyOf((await logOf(subscribed))[0] ?? { body: '{}' }).data.generation.result.url.split('/r/')[1]
  const [link, otherLink] = [await tokenOf(one), await tokenOf(other)]
  const holder = { kind: 'subscription', subscriptionId: one.subscription.id }
  expect(openResultToken(services.ring, services.clock, link)).toMatchObject({ generationId: id, holder })
  expect(await openResultLink(services, link)).toMatchObject({ generationId: id })
  await deleteSubscription(context(), one.subscription.id)
  await expect(openResultLink(services, link)).rejects.toMatchObject({ code: 'not_found' })
  expect(await openResultLink(services, otherLink)).toMatchObject({ generationId: id })
})

test('the link in a body is never announced beyond the end of the key', async () => {
  const team = await aTeamWithKey(services)
  const subscribed = await aSubscription(services, team, nowhere)
  const expiresAt = new Date(clock.now().getTime() + 3_600_500)
  await updateKey(context(), { id: team.key.id, expiresAt })
  await anEnding(team, 'ready')
  const [delivery] = await logOf(subscribed)
  expect(delivery && bodyOf(delivery).data.generation.result.urlExpiresAt).toBe(expiresAt.toISOString())
})

test('a rolled-back end records no delivery and takes no number', async () => {
  const team = await aTeamWithKey(services)
  const subscribed = await aSubscription(services, team, nowhere)
  const found = await findGeneration(context(), await anEnding(team))
  const undone = transaction(context(), async (inside) => {
    if (found) await recordEvent(inside, found, () => presentGeneration(services, found, { kind: 'service' }))
    throw new Error('the disk is full')
  })
  await expect(undone).rejects.toThrow('the disk is full')
  await anEnding(team)
  expect((await logOf(subscribed)).map(({ eventNumber }) => eventNumber)).toEqual([1, 2])
})

test('two concurrent ends of one generation record one event', async () => {
  const team = await aTeamWithKey(services)
  const subscribed = await aSubscription(services, team, nowhere)
  const request = { familyId: 'sandbox-image', prompt: 'a race' }
  const { generation } = await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
  const system = contextFor(services, { kind: 'system' })
  const end = () => endAtOnce(system, String(generation['generationId']), { to: 'cancelled', charged: false })
  const outcomes = await Promise.all([end(), end(), end()])
  expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
  expect(await logOf(subscribed)).toHaveLength(1)
})

test('event numbers have no gaps and no repeats when many generations end at once', async () => {
  const team = await aTeamWithKey(services)
  const subscriptions = await Promise.all([1, 2, 3].map(() => aSubscription(services, team, nowhere)))
  await Promise.all(Array.from({ length: 40 }, () => anEnding(team)))
  for (const subscribed of subscriptions) {
    expect((await logOf(subscribed)).map(({ eventNumber }) => eventNumber)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  }
})

test('nothing is recorded for a paused or deleted subscription, for another team, or for the editor', async () => {
  const team = await aTeamWithKey(services)
  const [paused, deleted] = [await aSubscription(services, team, nowhere), await aSubscription(services, team, nowhere)]
  const other = await aSubscription(services, await aTeamWithKey(services), nowhere)
  await updateSubscription(context(), { id: paused.subscription.id, paused: true })
  await deleteSubscription(context(), deleted.subscription.id)
  const found = await findGeneration(context(), await anEnding(team))
  await updateSubscription(context(), { id: paused.subscription.id, paused: false })
  if (found) await recordEvent(context(), { ...found, source: 'editor' }, neverPresented)
  if (found) await recordEvent(context(), { ...found, ownerId: team.user.id }, neverPresented)
  for (const subscribed of [paused, deleted, other]) expect(await logOf(subscribed)).toEqual([])
})

test('in a team without subscriptions an end takes one statement to find that out', async () => {
  const team = await aTeamWithKey(services)
  const found = await findGeneration(context(), await anEnding(team))
  const statements: string[] = []
  const inside = context()
  const { sql } = inside
  const counting = {
    ...inside,
    sql: { ...sql, all: <Row>(...asked: Parameters<typeof sql.all<Row>>) => (statements.push(asked[0].name), sql.all<Row>(...asked)) },
  }
  if (found) await recordEvent(counting, found, () => presentGeneration(services, found, { kind: 'service' }))
  expect(statements).toEqual(['number_event'])
})

function neverPresented(): never {
  throw new Error('this generation has no subscription')
}
