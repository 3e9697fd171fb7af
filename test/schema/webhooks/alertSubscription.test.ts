import { afterAll, expect, test } from 'vitest'
import { raiseAlerts } from '../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { pauseAllSubscriptions } from '../../../src/domain/webhooks/subscriptions/pauseAllSubscriptions.ts'
import { resealSecrets } from '../../../src/domain/webhooks/subscriptions/resealSecrets.ts'
import { alertsOf, anAlertSubscription } from '../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { aPerson } from '../../support/people/aPerson.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const address = 'http://127.0.0.1:9/alerts'
const create = `mutation ($input: CreateAlertSubscriptionInput!) { createAlertSubscription(input: $input) {
  subscription { id address kinds paused createdAt lastDeliveryDay lastDeliveryOutcome team { id } } signingSecret } }`
const update = `mutation ($input: UpdateAlertSubscriptionInput!) { updateAlertSubscription(input: $input) { id kinds paused } }`
const remove = `mutation ($input: DeleteAlertSubscriptionInput!) { deleteAlertSubscription(input: $input) }`
const list = `query ($id: ID!, $first: Int, $after: String) { team(id: $id) { alertSubscriptions(first: $first, after: $after) {
  nodes { id } pageInfo { endCursor hasNextPage } } webhookSubscriptions { nodes { id } } webhookDeliveries { nodes { id } } } }`
const rotate = `mutation ($input: RotateAlertSecretInput!) { rotateAlertSecret(input: $input) {
  subscription { secretOverlapEndsAt } signingSecret } }`
const sendTest = `mutation ($input: SendTestAlertInput!) { sendTestAlert(input: $input) { id kind event isTest eventNumber address } }`
const setThreshold = `mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { lowCreditsThreshold } }`

type Listed = { nodes: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } }
type Shown = { subscription: { secretOverlapEndsAt: string | null }; signingSecret: string }
type Lists = { team: { alertSubscriptions: Listed; webhookSubscriptions: Listed; webhookDeliveries: Listed } }

/** The refusal of a document, as `code path: issue`. */
async function refusedAs(query: string, input: Record<string, unknown>): Promise<string> {
  const { errors } = await ask(query, { input })
  const issues = (errors[0]?.extensions.details?.['issues'] ?? []) as { path: string[]; code: string }[]
  return [errors[0]?.extensions.code, ...issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)].join(' ')
}

test('a subscription to alerts is created, listed, changed and deleted, and its secret is shown once', async () => {
  const { team } = await aTeamWithKey(services)
  const made = await dataOf<{ createAlertSubscription: { subscription: { id: string }; signingSecret: string } }>(create, {
    input: { teamId: team.id, address, kinds: ['CREDITS_LOW', 'KEY_EXPIRING'] },
  })
  const { subscription, signingSecret } = made.createAlertSubscription
  const { id } = subscription
  expect(signingSecret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
  expect(subscription).toEqual({
    id: expect.stringMatching(/^hook_/),
    address,
    kinds: ['CREDITS_LOW', 'KEY_EXPIRING'],
    paused: false,
    createdAt: services.clock.now().toISOString(),
    lastDeliveryDay: null,
    lastDeliveryOutcome: null,
    team: { id: team.id },
  })
  const newer = await dataOf<typeof made>(create, { input: { teamId: team.id, address, kinds: ['PLAN_EXPIRING'] } })
  const newerId = newer.createAlertSubscription.subscription.id
  const first = (await dataOf<Lists>(list, { id: team.id, first: 1 })).team.alertSubscriptions
  expect(first).toMatchObject({ nodes: [{ id: newerId }], pageInfo: { hasNextPage: true } })
  const rest = (await dataOf<Lists>(list, { id: team.id, after: first.pageInfo.endCursor })).team.alertSubscriptions
  expect(rest).toMatchObject({ nodes: [{ id }], pageInfo: { hasNextPage: false } })

  expect(await dataOf(update, { input: { id, paused: true } })).toEqual({
    updateAlertSubscription: { id, kinds: ['CREDITS_LOW', 'KEY_EXPIRING'], paused: true },
  })
  expect(await dataOf(update, { input: { id, kinds: ['PLAN_EXPIRING'], paused: null } })).toEqual({
    updateAlertSubscription: { id, kinds: ['PLAN_EXPIRING'], paused: true },
  })
  expect(await dataOf(remove, { input: { id } })).toEqual({ deleteAlertSubscription: true })
  expect(await dataOf(remove, { input: { id } })).toEqual({ deleteAlertSubscription: false })
  expect((await dataOf<Lists>(list, { id: team.id })).team.alertSubscriptions.nodes).toEqual([{ id: newerId }])
  const { rows } = await services.pool.query('select action, before, after from audit_entries where subject_id = $1 order by id', [id])
  expect(rows).toEqual([
    { action: 'alert_subscription.created', before: null, after: { kinds: ['credits.low', 'key.expiring'] } },
    { action: 'alert_subscription.updated', before: { paused: false }, after: { paused: true } },
    { action: 'alert_subscription.updated', before: { kinds: ['credits.low', 'key.expiring'] }, after: { kinds: ['plan.expiring'] } },
    { action: 'alert_subscription.deleted', before: null, after: null },
  ])
})

test('wrong input is refused with its path, and addresses have the rules of webhooks', async () => {
  const { team } = await aTeamWithKey(services)
  const input = { teamId: team.id, address, kinds: ['CREDITS_LOW'] }
  expect(await refusedAs(create, { ...input, kinds: [] })).toBe('invalid_request kinds: too_small')
  expect(await refusedAs(create, { ...input, kinds: ['CREDITS_LOW', 'CREDITS_LOW'] })).toBe('invalid_request kinds: conflict')
  expect(await refusedAs(create, { ...input, address: 'http://10.0.0.1/x' })).toBe('invalid_request address: not_allowed')
  expect(await refusedAs(create, { ...input, address: 'nothing' })).toBe('invalid_request address: bad_format')
  expect(await refusedAs(create, { ...input, teamId: 'team_none' })).toMatch(/^invalid_request teamId: /)
  expect(await refusedAs(create, { ...input, kinds: ['GENERATION_FAILED'] })).toMatch(/^invalid_request/)
  expect(await refusedAs(setThreshold, { id: team.id, lowCreditsThreshold: -1 })).toMatch(/^invalid_request lowCreditsThreshold: /)
  expect(await refusedAs(setThreshold, { id: team.id, lowCreditsThreshold: 1.005 })).toMatch(/^invalid_request lowCreditsThreshold: /)
  for (const document of [update, remove]) {
    expect(await refusedAs(document, { id: 'hook_none' })).toMatch(/^invalid_request id: /)
  }
})

test('webhooks and alerts are separate: neither is found, changed or listed as the other, and the log shows the kind', async () => {
  const team = await aTeamWithKey(services)
  const hook = (await aSubscription(services, team, address)).subscription.id
  const { id } = (await anAlertSubscription(services, team, address, ['credits.low'])).subscription
  await dataOf(setThreshold, { input: { id: team.team.id, lowCreditsThreshold: 1_000_000 } })
  await raiseAlerts(aServiceContext(services))
  const [alert] = await alertsOf(services, id)
  const lists = await dataOf<Lists>(list, { id: team.team.id })
  expect(lists.team).toMatchObject({
    alertSubscriptions: { nodes: [{ id }] },
    webhookSubscriptions: { nodes: [{ id: hook }] },
    webhookDeliveries: { nodes: [{ id: alert?.id }] },
  })
  expect(await refusedAs(update, { id: hook, paused: true })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(remove, { id: hook })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(rotate, { id: hook })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(sendTest, { subscriptionId: hook })).toMatch(/^invalid_request subscriptionId: /)
  const asWebhook = `mutation ($input: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $input) { id } }`
  const rotated = `mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { signingSecret } }`
  const tested = `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id } }`
  expect(await refusedAs(asWebhook, { id, paused: true })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(rotated, { id })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(tested, { subscriptionId: id })).toMatch(/^invalid_request subscriptionId: /)
  const found = `query ($id: ID!, $delivery: ID!) { webhookSubscription(id: $id) { id } webhookDelivery(id: $delivery) {
    kind event subscriptionId subscription { id } alertSubscription { id } generationId payload } }`
  expect(await dataOf(found, { id, delivery: alert?.id })).toEqual({
    webhookSubscription: null,
    webhookDelivery: {
      kind: 'ALERT',
      event: 'CREDITS_LOW',
      subscriptionId: id,
      subscription: null,
      alertSubscription: { id },
      generationId: null,
      payload: alert,
    },
  })
})

test('a rotation shows a new secret once, and the overlap ends', async () => {
  const team = await aTeamWithKey(services)
  const { subscription, signingSecret: before } = await anAlertSubscription(services, team, address)
  const rotated = async (overlapHours?: number) =>
    (await dataOf<{ rotateAlertSecret: Shown }>(rotate, { input: { id: subscription.id, overlapHours } })).rotateAlertSecret
  const withOverlap = await rotated(24)
  expect(withOverlap.signingSecret).toMatch(/^whsec_/)
  expect(withOverlap.signingSecret).not.toBe(before)
  expect(Date.parse(withOverlap.subscription.secretOverlapEndsAt ?? '')).toBeGreaterThan(Date.now())
  expect((await rotated()).subscription.secretOverlapEndsAt).toBeNull()
  expect(await refusedAs(rotate, { id: subscription.id, overlapHours: 25 })).toMatch(/^invalid_request overlapHours: /)
  await dataOf(remove, { input: { id: subscription.id } })
  expect(await refusedAs(rotate, { id: subscription.id })).toMatch(/^invalid_request id: /)
  expect(await refusedAs(sendTest, { subscriptionId: subscription.id })).toMatch(/^invalid_request subscriptionId: /)
})

test('owners and administrators set the threshold and the alerts of their team; members and other teams do neither', async () => {
  const own = await aTeamWithKey(services)
  const foreign = await aTeamWithKey(services)
  const { id } = (await anAlertSubscription(services, own, address)).subscription
  const threshold = { input: { id: own.team.id, lowCreditsThreshold: 12.5 } }
  const asked = { input: { teamId: own.team.id, address, kinds: ['CREDITS_LOW'] } }
  const admin = await aMember(services, { teamId: own.team.id, role: 'admin' })
  const member = await aMember(services, { teamId: own.team.id, role: 'member' })
  const codesOf = async (userId: string) => {
    const documents = [
      [setThreshold, threshold],
      [create, asked],
      [update, { input: { id, paused: false } }],
      [rotate, { input: { id } }],
      [sendTest, { input: { subscriptionId: id } }],
    ] as const
    const answers = await Promise.all(documents.map(([document, variables]) => aPerson(services, userId)(document, variables)))
    return answers.map(({ codes }) => codes[0])
  }
  for (const userId of [own.user.id, admin.id]) expect(await codesOf(userId)).toEqual(Array.from({ length: 5 }, () => undefined))
  for (const userId of [member.id, foreign.user.id]) {
    expect(await codesOf(userId)).toEqual(Array.from({ length: 5 }, () => 'access_denied'))
  }
  const { data } = await ask(`{ team(id: "${own.team.id}") { lowCreditsThreshold } }`)
  expect(data).toEqual({ team: { lowCreditsThreshold: 12.5 } })
  await dataOf(setThreshold, { input: { id: own.team.id, lowCreditsThreshold: null } })
})

test('a team has at most 100 subscriptions to alerts, besides its webhooks', async () => {
  const team = await aTeamWithKey(services)
  await aSubscription(services, team, address)
  for (let count = 0; count < 100; count += 1) await anAlertSubscription(services, team, address)
  await expect(anAlertSubscription(services, team, address)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a new SECRET_KEY and a restore treat subscriptions to alerts like webhooks', async () => {
  const team = await aTeamWithKey(services)
  const { id } = (await anAlertSubscription(services, team, address)).subscription
  expect(await resealSecrets(aServiceContext(services))).toBe(0)
  expect(await pauseAllSubscriptions(aServiceContext(services))).toBeGreaterThan(0)
  const { rows } = await services.pool.query('select paused from webhook_subscriptions where id = $1', [id])
  expect(rows).toEqual([{ paused: true }])
})
