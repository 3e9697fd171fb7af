import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { listDeliveries } from '../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { pruneDeliveries, pruneOlderSecrets, pruneSubscriptions } from '../../../src/domain/webhooks/deliveries/pruneDeliveries.ts'
import { redeliver, redeliverFailed } from '../../../src/domain/webhooks/deliveries/redeliver.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { deleteSubscription } from '../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { findSubscription } from '../../../src/domain/webhooks/subscriptions/findSubscription.ts'
import { rotateSecret } from '../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { updateSubscription } from '../../../src/domain/webhooks/subscriptions/updateSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { issueOf } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'
import { attemptAllDue } from '../../support/webhooks/attemptAllDue.ts'
import { aReceiver, type ReceivedWebhook } from '../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: { ...loopback, webhookFirstRetrySeconds: 3600 } })
afterAll(close)
const context = () => aServiceContext(services)
const nowhere = 'http://127.0.0.1:9/hook'

async function logOf(subscriptionId: string) {
  return listDeliveries(context(), { subscriptionIds: [subscriptionId] }, { limit: 100, fromTheEnd: true })
}

/** Returns whether the header has one signature per secret, then whether each signature matches its secret. */
function signaturesOf({ headers, body }: ReceivedWebhook, secrets: string[]): boolean[] {
  const [time = '', ...given] = String(headers['x-service-signature']).split(',')
  const digests = secrets.map((secret) =>
    createHmac('sha256', secret)
      .update(`${time.slice(2)}.`)
      .update(body)
      .digest('hex'),
  )
  return [given.length === digests.length, ...given.map((value, index) => value === `v1=${digests[index]}`)]
}

test('a team has at most 100 subscriptions, not counting deleted ones', async () => {
  const team = await aTeamWithKey(services)
  const made = []
  for (let count = 0; count < 100; count += 1) made.push(await aSubscription(services, team, nowhere))
  expect(await issueOf(aSubscription(services, team, nowhere))).toBe('teamId: too_big')
  await deleteSubscription(context(), made[0]?.subscription.id ?? '')
  await aSubscription(services, team, nowhere)
})

test('of 30 concurrent creations in a team with 95 subscriptions, five succeed', async () => {
  const team = await aTeamWithKey(services)
  for (let count = 0; count < 95; count += 1) await aSubscription(services, team, nowhere)
  const made = await Promise.allSettled(Array.from({ length: 30 }, () => aSubscription(services, team, nowhere)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const { rows } = await services.pool.query('select count(*)::integer as count from webhook_subscriptions where team_id = $1', [
    team.team.id,
  ])
  expect(rows).toEqual([{ count: 100 }])
})

test('the database never contains a secret in plain text', async () => {
  const { subscription, signingSecret } = await aSubscription(services, await aTeamWithKey(services), nowhere)
  const { rows } = await services.pool.query('select secret from webhook_subscriptions where id = $1', [subscription.id])
  const raw = Buffer.from(signingSecret.slice('whsec_'.length), 'base64')
  for (const form of [Buffer.from(signingSecret), raw]) expect(rows[0].secret.includes(form)).toBe(false)
})

test('a rotation replaces the secret at once; with an overlap both secrets sign until it ends', async () => {
  const receiver = await aReceiver()
  const { subscription, signingSecret: first } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  const { id } = subscription
  const next = async () => {
    await sendTestEvent(context(), id)
    await attemptAllDue(context())
    return receiver.received.at(-1) as ReceivedWebhook
  }
  expect(signaturesOf(await next(), [first])).toEqual([true, true])
  const { signingSecret: second } = await rotateSecret(context(), { id })
  expect(signaturesOf(await next(), [second])).toEqual([true, true])
  const { signingSecret: third } = await rotateSecret(context(), { id, overlapHours: 24 })
  expect(signaturesOf(await next(), [third, second])).toEqual([true, true, true])
  const { signingSecret: fourth } = await rotateSecret(context(), { id, overlapHours: 1 })
  expect(signaturesOf(await next(), [fourth, third])).toEqual([true, true, true])
  await services.pool.query("update webhook_subscriptions set older_secret_until = now() - interval '1 second' where id = $1", [id])
  expect(signaturesOf(await next(), [fourth])).toEqual([true, true])
  await pruneOlderSecrets(context())
  expect(await findSubscription(context(), id)).toMatchObject({ olderSecret: null, olderSecretUntil: null })
})

test('a test event is marked as one, and is signed, numbered and logged like any other', async () => {
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address, ['generation.cancelled'])
  const { id } = await sendTestEvent(context(), subscription.id)
  await attemptAllDue(context())
  const [webhook] = receiver.received
  expect(webhook?.headers).toMatchObject({ 'x-atelier-test': '1', 'webhook-id': id, 'content-type': 'application/json; charset=utf-8' })
  expect(JSON.parse(String(webhook?.body))).toMatchObject({ id, event: 'generation.completed', data: { generation: { state: 'ready' } } })
  expect(await logOf(subscription.id)).toMatchObject([{ id, eventNumber: 1, state: 'delivered', isTest: true }])
})

test('during a pause nothing is recorded or sent; open deliveries continue on resume', async () => {
  const receiver = await aReceiver()
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  const { id } = subscription
  await anEnding(team, 'failed')
  await updateSubscription(context(), { id, paused: true })
  await anEnding(team, 'cancelled')
  expect(await attemptAllDue(context())).toBe(0)
  const [open] = await logOf(id)
  expect(await issueOf(sendTestEvent(context(), id))).toBe('subscriptionId: conflict')
  expect(await issueOf(redeliver(context(), open?.id ?? ''))).toBe('deliveryId: conflict')
  expect(await issueOf(redeliverFailed(context(), { subscriptionId: id, since: new Date(0) }))).toBe('subscriptionId: conflict')

  await updateSubscription(context(), { id, paused: false })
  await attemptAllDue(context())
  await anEnding(team, 'cancelled')
  await attemptAllDue(context())
  expect((await logOf(id)).map(({ event, eventNumber, state }) => [event, eventNumber, state])).toEqual([
    ['generation.failed', 1, 'delivered'],
    ['generation.cancelled', 2, 'delivered'],
  ])
  expect(receiver.received).toHaveLength(2)
})

test('a deleted subscription sends nothing more, has no secret, and keeps its log', async () => {
  const receiver = await aReceiver((response) => response.writeHead(500).end('broken'))
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  const { id } = subscription
  await anEnding(team)
  await attemptAllDue(context())
  await anEnding(team)
  expect(await deleteSubscription(context(), id)).toBe(true)
  expect(await deleteSubscription(context(), id)).toBe(false)
  expect(await attemptAllDue(context())).toBe(0)
  expect(await findSubscription(context(), id)).toMatchObject({ secret: null, olderSecret: null, deletedAt: expect.any(Date) })
  const words = 'the subscription was deleted first'
  expect(await logOf(id)).toMatchObject([
    { state: 'failed', refusal: words, attempts: 1 },
    { state: 'failed', refusal: words, attempts: 0 },
  ])
  const { rows } = await services.pool.query(
    'select a.refusal from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.subscription_id = $1',
    [id],
  )
  expect(rows).toEqual([{ refusal: 'answered 500' }])
  const [first] = await logOf(id)
  expect(await issueOf(redeliver(context(), first?.id ?? ''))).toBe('deliveryId: not_allowed')
  expect(await issueOf(updateSubscription(context(), { id, paused: true }))).toBe('id: not_allowed')
})

test('a redelivery sends the same identifier and bytes with all retries, whatever the state of the delivery', async () => {
  const receiver = await aReceiver((response) => response.writeHead(receiver.received.length === 1 ? 200 : 500).end())
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), receiver.address)
  const { id } = await sendTestEvent(context(), subscription.id)
  await attemptAllDue(context())
  for (const attempts of [2, 3]) {
    expect(await redeliver(context(), id)).toMatchObject({ id, state: 'pending' })
    await attemptAllDue(context())
    expect(await logOf(subscription.id)).toMatchObject([{ id, state: 'retrying', attempts }])
    const { rows } = await services.pool.query('select retries_left from webhook_deliveries where id = $1', [id])
    expect(rows).toEqual([{ retries_left: 5 }])
  }
  expect(receiver.ids()).toEqual([id, id, id])
  expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
})

test('all deliveries that failed since a given time are sent again, and no others', async () => {
  let isWell = false
  const receiver = await aReceiver((response) => response.writeHead(isWell ? 200 : 500).end())
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  const close = `update webhook_deliveries set state = 'failed', next_attempt_at = null, retries_left = null where subscription_id = $1`
  for (const moment of ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z', '2026-05-03T00:00:00Z']) {
    await clock.set(moment)
    await anEnding(team)
  }
  await services.pool.query(close, [subscription.id])
  isWell = true
  const since = new Date('2026-05-02T00:00:00Z')
  expect(await redeliverFailed(context(), { subscriptionId: subscription.id, since })).toBe(2)
  await attemptAllDue(context())
  expect((await logOf(subscription.id)).map(({ state }) => state)).toEqual(['failed', 'delivered', 'delivered'])
  expect(await redeliverFailed(context(), { subscriptionId: subscription.id, since })).toBe(0)
})

test('the log with its attempts is kept for 30 days; then a deleted subscription is deleted too', async () => {
  const receiver = await aReceiver()
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  await clock.set('2026-06-01T00:00:00Z')
  await anEnding(team)
  await attemptAllDue(context())
  await anEnding(team)
  await clock.set('2026-06-02T00:00:00Z')
  await anEnding(team)
  await deleteSubscription(context(), subscription.id)
  await pruneDeliveries(context())
  expect(await logOf(subscription.id)).toHaveLength(3)

  await clock.set('2026-07-01T00:00:00.001Z')
  await pruneDeliveries(context())
  expect((await logOf(subscription.id)).map(({ eventNumber }) => eventNumber)).toEqual([3])
  await pruneSubscriptions(context())
  await clock.set('2026-07-02T00:00:00.001Z')
  await pruneSubscriptions(context())
  expect(await findSubscription(context(), subscription.id)).not.toBeNull()
  await pruneDeliveries(context())
  await pruneSubscriptions(context())
  expect(await findSubscription(context(), subscription.id)).toBeNull()
  const left = await services.pool.query('select count(*)::integer as deliveries from webhook_deliveries where subscription_id = $1', [
    subscription.id,
  ])
  expect(left.rows[0]).toEqual({ deliveries: 0 })
})
