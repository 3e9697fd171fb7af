import { afterAll, expect, test } from 'vitest'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { anAlertSubscription } from '../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const address = 'http://127.0.0.1:9/alerts'
const sendTest = `mutation ($input: SendTestAlertInput!) { sendTestAlert(input: $input) { id kind event isTest eventNumber address } }`
const update = `mutation ($input: UpdateAlertSubscriptionInput!) { updateAlertSubscription(input: $input) { id kinds paused } }`

/** The refusal of a document, as `code path: issue`. */
async function refusedAs(query: string, input: Record<string, unknown>): Promise<string> {
  const { errors } = await ask(query, { input })
  const issues = (errors[0]?.extensions.details?.['issues'] ?? []) as { path: string[]; code: string }[]
  return [errors[0]?.extensions.code, ...issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)].join(' ')
}

test('a test alert and a repeat are in the log of the team, which filters by kind', async () => {
  const team = await aTeamWithKey(services)
  await sendTestEvent(aServiceContext(services), (await aSubscription(services, team, address)).subscription.id)
  const { id } = (await anAlertSubscription(services, team, address, ['key.expiring', 'plan.expiring'])).subscription
  const sent = await dataOf<{ sendTestAlert: { id: string } }>(sendTest, { input: { subscriptionId: id } })
  expect(sent.sendTestAlert).toMatchObject({ kind: 'ALERT', event: 'KEY_EXPIRING', isTest: true, eventNumber: 1, address })
  const other = await dataOf(sendTest, { input: { subscriptionId: id, kind: 'CREDITS_LOW' } })
  expect(other).toMatchObject({ sendTestAlert: { event: 'CREDITS_LOW', eventNumber: 2 } })
  const again = `mutation ($input: RedeliverInput!) { redeliver(input: $input) { id kind state } }`
  expect(await dataOf(again, { input: { deliveryId: sent.sendTestAlert.id } })).toEqual({
    redeliver: { id: sent.sendTestAlert.id, kind: 'ALERT', state: 'PENDING' },
  })
  const log = `query ($id: ID!, $kind: DeliveryKind, $of: ID, $state: WebhookDeliveryState) { team(id: $id) {
    webhookDeliveries(kind: $kind, subscriptionId: $of, state: $state) { nodes { kind } } } }`
  const kinds = async (filter: Record<string, unknown>) => {
    const { team: found } = await dataOf<{ team: { webhookDeliveries: { nodes: { kind: string }[] } } }>(log, {
      id: team.team.id,
      ...filter,
    })
    return found.webhookDeliveries.nodes.map(({ kind }) => kind).toSorted()
  }
  expect(await kinds({})).toEqual(['ALERT', 'ALERT', 'WEBHOOK'])
  expect(await kinds({ kind: 'ALERT' })).toEqual(['ALERT', 'ALERT'])
  expect(await kinds({ kind: 'WEBHOOK' })).toEqual(['WEBHOOK'])
  expect(await kinds({ kind: 'CALLBACK' })).toEqual([])
  expect(await kinds({ of: id, state: 'PENDING' })).toEqual(['ALERT', 'ALERT'])
  await dataOf(update, { input: { id, paused: true } })
  expect(await refusedAs(sendTest, { subscriptionId: id })).toBe('invalid_request subscriptionId: conflict')
  expect(await refusedAs(again, { deliveryId: sent.sendTestAlert.id })).toBe('invalid_request deliveryId: conflict')
})
