import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { rotateAlertSecret } from '../../../../src/domain/webhooks/alerts/changeAlertSubscription.ts'
import { raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { sendTestAlert } from '../../../../src/domain/webhooks/alerts/sendTestAlert.ts'
import { alertKinds } from '../../../../src/entities/AlertSubscription.ts'
import { signWebhook } from '../../../../src/secrets/signWebhook.ts'
import { alertsOf, anAlertSubscription } from '../../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const nowhere = 'http://127.0.0.1:9/alerts'

test('a sample of each kind has the fields of its alert, and names no object of the team', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await anAlertSubscription(services, team, nowhere)
  for (const kind of alertKinds) await sendTestAlert(tool, { subscriptionId: subscription.id, kind })
  const sent = await alertsOf(services, subscription.id)
  expect(Object.fromEntries(sent.map(({ event, data }) => [event, Object.keys(data).toSorted().join(' ')]))).toEqual({
    'credits.low': 'creditsAvailable creditsHeld lowCreditsThreshold teamId',
    'key.near_ceiling': 'heldCredits keyId limitCredits limitKind name percent resetsAt spentCredits teamId',
    'webhook.failing': 'attempts deliveryId responseCode subscriptionId teamId',
    'key.expiring': 'days expiresAt keyId name teamId',
    'plan.expiring': 'days planExpiresAt teamId',
  })
  expect(new Set(sent.map(({ data }) => data['teamId']))).toEqual(new Set([team.team.id]))
  expect(JSON.stringify(sent)).not.toContain(team.key.id)
})

test('a test alert is signed with both secrets of an overlap, has the header, and leaves the alert of the day', async () => {
  const receiver = await aReceiver()
  const team = await aTeamWithKey(services, { credits: 1 })
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 10 })
  const { subscription, signingSecret: older } = await anAlertSubscription(services, team, receiver.address, ['credits.low'])
  const { signingSecret } = await rotateAlertSecret(tool, { id: subscription.id, overlapHours: 1 })
  const { id } = await sendTestAlert(tool, { subscriptionId: subscription.id })
  await attemptAllDue(tool)
  const [received] = receiver.received
  const headers = received?.headers ?? {}
  const body = received?.body ?? Buffer.alloc(0)
  expect(headers['x-atelier-test']).toBe('1')
  const timestampSeconds = Number(headers['webhook-timestamp'])
  const signed = signWebhook({ secrets: [signingSecret, older], body, timestampSeconds, id })
  expect(headers['x-service-signature']).toBe(signed['X-Service-Signature'])
  await raiseAlerts(tool)
  expect(await alertsOf(services, subscription.id)).toHaveLength(2)
})

test('a subscription takes ten test alerts a minute', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await anAlertSubscription(services, team, nowhere)
  const sent = () => sendTestAlert(tool, { subscriptionId: subscription.id })
  for (let count = 0; count < 10; count += 1) await sent()
  await expect(sent()).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 10 } })
  await clock.advance(60_000)
  expect(await sent()).toMatchObject({ isTest: true })
})
