import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'
import { aReceiver } from '../support/webhooks/receiver.ts'
import { aDeliverer, anEnding, loopback } from '../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const { app, ask, dataOf } = await testEndpoint(services)
const deliverer = await aDeliverer(services)
afterAll(async () => {
  await deliverer.stop()
  await app.close()
  await close()
})

const soon = { timeout: 5000, interval: 10 }

/** The refusal of a document, as `code path: issue`. */
async function refusedAs(query: string, variables: Record<string, unknown>): Promise<string> {
  const { errors } = await ask(query, variables)
  const issues = (errors[0]?.extensions.details?.['issues'] ?? []) as { path: string[]; code: string }[]
  return [errors[0]?.extensions.code, ...issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)].join(' ')
}

type Subscription = { id: string; address: string; events: string[]; paused: boolean }
type Delivery = Record<string, unknown> & { id: string; payload: { id: string; data: { generation: { generationId: string } } } }

const create = `mutation ($input: CreateWebhookSubscriptionInput!) {
  createWebhookSubscription(input: $input) {
    subscription { id address events paused createdAt deletedAt secretOverlapEndsAt lastDeliveryDay lastDeliveryOutcome team { id } }
    signingSecret
  }
}`
const update = `mutation ($input: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $input) { id events paused } }`
const remove = `mutation ($input: DeleteWebhookSubscriptionInput!) { deleteWebhookSubscription(input: $input) }`
const rotate = `mutation ($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) { subscription { id secretOverlapEndsAt } signingSecret }
}`
const sendTest = `mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { id state isTest eventNumber subscription { id } } }`
const again = `mutation ($input: RedeliverInput!) { redeliver(input: $input) { id } }`
const allAgain = `mutation ($input: RedeliverFailedInput!) { redeliverFailed(input: $input) }`
const log = `query ($id: ID!, $state: WebhookDeliveryState, $first: Int, $after: String) {
  webhookSubscription(id: $id) {
    lastDeliveryDay lastDeliveryOutcome deletedAt
    deliveries(state: $state, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node {
        id event eventNumber time state attempts responseCode refusalText responseSnippet nextAttemptAt payload isTest
        attemptLog { number time durationSeconds responseCode refusalText responseSnippet }
      } }
    }
  }
}`

async function subscribe(teamId: string, address: string): Promise<{ subscription: Subscription; signingSecret: string }> {
  const input = { teamId, address, events: ['GENERATION_COMPLETED', 'GENERATION_FAILED'] }
  const { createWebhookSubscription } = await dataOf<{ createWebhookSubscription: { subscription: Subscription; signingSecret: string } }>(
    create,
    { input },
  )
  return createWebhookSubscription
}

async function deliveriesOf(id: string, variables: Record<string, unknown> = {}): Promise<Delivery[]> {
  const { webhookSubscription } = await dataOf<{ webhookSubscription: { deliveries: { edges: { node: Delivery }[] } } }>(log, {
    id,
    ...variables,
  })
  return webhookSubscription.deliveries.edges.map(({ node }) => node)
}

test('a subscription is created, changed, paused, listed and deleted, and its secret is shown once', async () => {
  const { team } = await aTeamWithKey(services)
  const { subscription, signingSecret } = await subscribe(team.id, 'http://127.0.0.1:9/hook')
  expect(subscription).toEqual({
    id: expect.stringMatching(/^hook_/),
    address: 'http://127.0.0.1:9/hook',
    events: ['GENERATION_COMPLETED', 'GENERATION_FAILED'],
    paused: false,
    createdAt: expect.any(String),
    deletedAt: null,
    secretOverlapEndsAt: null,
    lastDeliveryDay: null,
    lastDeliveryOutcome: null,
    team: { id: team.id },
  })
  expect(signingSecret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)

  const { id } = subscription
  expect(await dataOf(update, { input: { id, events: ['GENERATION_CANCELLED'], paused: true } })).toEqual({
    updateWebhookSubscription: { id, events: ['GENERATION_CANCELLED'], paused: true },
  })
  const list = `query ($id: ID!, $all: Boolean) { team(id: $id) { webhookSubscriptions(withDeleted: $all) { nodes { id deletedAt } } } }`
  expect(await dataOf(list, { id: team.id })).toEqual({ team: { webhookSubscriptions: { nodes: [{ id, deletedAt: null }] } } })
  expect(await dataOf(remove, { input: { id } })).toEqual({ deleteWebhookSubscription: true })
  expect(await dataOf(remove, { input: { id } })).toEqual({ deleteWebhookSubscription: false })
  expect(await dataOf(list, { id: team.id })).toEqual({ team: { webhookSubscriptions: { nodes: [] } } })
  const gone = { id, deletedAt: expect.any(String) }
  expect(await dataOf(list, { id: team.id, all: true })).toEqual({ team: { webhookSubscriptions: { nodes: [gone] } } })
})

test('the log has the event, the outcome and the response of each delivery', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver((response) =>
    response.writeHead(receiver.received.length === 1 ? 503 : 200).end('down for <b>repair</b>\u202e'),
  )
  const { subscription } = await subscribe(team.team.id, receiver.address)
  const generationId = await anEnding(team, 'ready')
  await vi.waitFor(async () => expect((await deliveriesOf(subscription.id))[0]?.['state']).toBe('DELIVERED'), soon)
  const [delivery] = await deliveriesOf(subscription.id)
  const reply = 'down for <b>repair</b>\\u{202e}'
  expect(delivery).toMatchObject({
    event: 'GENERATION_COMPLETED',
    eventNumber: 1,
    time: '2026-03-10T12:00:00.000Z',
    attempts: 2,
    responseCode: 200,
    refusalText: null,
    responseSnippet: reply,
    nextAttemptAt: null,
    isTest: false,
    attemptLog: [
      { number: 1, time: expect.any(String), responseCode: 503, refusalText: `answered 503: ${reply}`, responseSnippet: reply },
      { number: 2, time: expect.any(String), responseCode: 200, refusalText: null, responseSnippet: reply },
    ],
  })
  expect(delivery?.payload).toEqual(JSON.parse(String(receiver.received[0]?.body)))
  expect(delivery?.payload).toMatchObject({ id: delivery?.id, data: { generation: { generationId } } })
  const { webhookSubscription } = await dataOf<{ webhookSubscription: object }>(log, { id: subscription.id })
  expect(webhookSubscription).toMatchObject({ lastDeliveryOutcome: 'DELIVERED', lastDeliveryDay: '2026-03-10' })
})

test('the log has pages, newest event first, and a filter by state', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await subscribe(team.team.id, (await aReceiver()).address)
  for (let count = 0; count < 5; count += 1) await anEnding(team)
  const { id } = subscription
  await vi.waitFor(async () => expect(await deliveriesOf(id, { state: 'DELIVERED' })).toHaveLength(5), soon)
  expect((await deliveriesOf(id)).map(({ eventNumber }) => eventNumber)).toEqual([5, 4, 3, 2, 1])
  type Page = { webhookSubscription: { deliveries: { pageInfo: { hasNextPage: boolean; endCursor: string } } } }
  const first = await dataOf<Page>(log, { id, first: 3 })
  const { endCursor, hasNextPage } = first.webhookSubscription.deliveries.pageInfo
  expect(hasNextPage).toBe(true)
  expect((await deliveriesOf(id, { first: 3, after: endCursor })).map(({ eventNumber }) => eventNumber)).toEqual([2, 1])
  expect(await deliveriesOf(id, { state: 'FAILED' })).toEqual([])
  expect(await refusedAs(log, { id, after: 'bm9uc2Vuc2U' })).toBe('invalid_cursor')
})

test('a secret is rotated with an overlap, a test event is sent and a delivery is repeated', async () => {
  const { team } = await aTeamWithKey(services)
  const receiver = await aReceiver()
  const { subscription, signingSecret } = await subscribe(team.id, receiver.address)
  type Rotated = { rotateWebhookSecret: { subscription: { secretOverlapEndsAt: string }; signingSecret: string } }
  const { rotateWebhookSecret } = await dataOf<Rotated>(rotate, { input: { id: subscription.id, overlapHours: 24 } })
  expect(rotateWebhookSecret.signingSecret).not.toBe(signingSecret)
  expect(Date.parse(rotateWebhookSecret.subscription.secretOverlapEndsAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)

  const { sendTestEvent } = await dataOf<{ sendTestEvent: { id: string } }>(sendTest, { input: { subscriptionId: subscription.id } })
  expect(sendTestEvent).toEqual({
    id: expect.stringMatching(/^evt_/),
    state: expect.stringMatching(/PENDING|DELIVERED/),
    isTest: true,
    eventNumber: 1,
    subscription: { id: subscription.id },
  })
  await vi.waitFor(async () => expect((await deliveriesOf(subscription.id))[0]?.['state']).toBe('DELIVERED'), soon)
  expect(await dataOf(again, { input: { deliveryId: sendTestEvent.id } })).toEqual({ redeliver: { id: sendTestEvent.id } })
  await vi.waitFor(() => expect(receiver.ids()).toEqual([sendTestEvent.id, sendTestEvent.id]), soon)
  expect(await dataOf(allAgain, { input: { subscriptionId: subscription.id, since: '2026-01-01T00:00:00Z' } })).toEqual({
    redeliverFailed: 0,
  })
})

test('invalid input is refused at its field', async () => {
  const { team } = await aTeamWithKey(services)
  const { subscription } = await subscribe(team.id, 'http://127.0.0.1:9/hook')
  const { id } = subscription
  const good = { teamId: team.id, address: 'http://127.0.0.1:9/hook', events: ['GENERATION_FAILED'] }
  expect(await refusedAs(create, { input: { ...good, address: 'https://10.0.0.1/hook' } })).toBe('invalid_request address: not_allowed')
  for (const [address, issue] of [
    ['https://exa\u200bmple.com/', 'bad_format'],
    ['  ', 'too_small'],
    [`https://example.com/${'x'.repeat(3000)}`, 'too_long'],
  ] as const) {
    expect(await refusedAs(create, { input: { ...good, address } })).toBe(`invalid_request address: ${issue}`)
  }
  expect(await refusedAs(create, { input: { ...good, events: [] } })).toBe('invalid_request events: too_small')
  expect(await refusedAs(create, { input: { ...good, teamId: newId('team') } })).toBe('invalid_request teamId: not_allowed')
  expect(await refusedAs(update, { input: { id, events: ['GENERATION_FAILED', 'GENERATION_FAILED'] } })).toBe(
    'invalid_request events: conflict',
  )
  expect(await refusedAs(rotate, { input: { id, overlapHours: 25 } })).toBe('invalid_request overlapHours: too_big')
  for (const unknown of [newId('hook'), 'hook_1', '%00', '']) {
    expect(await refusedAs(update, { input: { id: unknown, paused: true } })).toBe('invalid_request id: not_allowed')
    expect(await refusedAs(sendTest, { input: { subscriptionId: unknown } })).toBe('invalid_request subscriptionId: not_allowed')
    expect(await refusedAs(again, { input: { deliveryId: unknown } })).toBe('invalid_request deliveryId: not_allowed')
  }
})

test('without the service token a subscription is neither read nor changed', async () => {
  const { team, value } = await aTeamWithKey(services)
  const { subscription } = await subscribe(team.id, 'http://127.0.0.1:9/hook')
  for (const authorization of ['Bearer wrong', `Bearer ${value}`]) {
    for (const [query, variables] of [
      [log, { id: subscription.id }],
      [remove, { input: { id: subscription.id } }],
      [rotate, { input: { id: subscription.id } }],
    ] as const) {
      const { data, errors } = await ask(query, variables, { authorization })
      expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true)
      expect(errors[0]?.extensions.code).toBe('unauthorized')
    }
  }
})
