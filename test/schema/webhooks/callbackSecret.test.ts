import { afterAll, expect, test } from 'vitest'
import { createServiceToken } from '../../../src/domain/access/serviceTokens.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { aPerson } from '../../support/people/aPerson.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'
import { attemptAllDue } from '../../support/webhooks/attemptAllDue.ts'
import { aStartWithCallback, callbackLogOf, failAtOnce } from '../../support/webhooks/callbacks.ts'
import { loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const read = `query ($id: ID!) { team(id: $id) { callbackSecret callbackSecretOverlapEndsAt } }`
const rotate = `mutation ($input: RotateCallbackSecretInput!) { rotateCallbackSecret(input: $input) { team { callbackSecret callbackSecretOverlapEndsAt } signingSecret } }`
type Read = { team: { callbackSecret: string; callbackSecretOverlapEndsAt: string | null } }

test('a team has a secret for callbacks, which can be read again and rotated with an overlap', async () => {
  const { team } = await aTeamWithKey(services)
  const first = (await dataOf<Read>(read, { id: team.id })).team
  expect(first).toEqual({ callbackSecret: expect.stringMatching(/^whsec_/), callbackSecretOverlapEndsAt: null })
  expect((await dataOf<Read>(read, { id: team.id })).team).toEqual(first)
  const rotated = (
    await dataOf<{ rotateCallbackSecret: Read & { signingSecret: string } }>(rotate, { input: { teamId: team.id, overlapHours: 2 } })
  ).rotateCallbackSecret
  expect(rotated.signingSecret).not.toBe(first.callbackSecret)
  expect(rotated.team.callbackSecret).toBe(rotated.signingSecret)
  expect(rotated.team.callbackSecretOverlapEndsAt).not.toBeNull()
  for (const overlapHours of [-1, 25])
    expect((await ask(rotate, { input: { teamId: team.id, overlapHours } })).errors[0]?.extensions.code).toBe('invalid_request')
  expect((await ask(rotate, { input: { teamId: 'team_x' } })).errors[0]?.extensions.code).toBe('invalid_request')
})

test('two rotations in one document return their own secrets', async () => {
  const { team } = await aTeamWithKey(services)
  const twice = `mutation ($input: RotateCallbackSecretInput!) {
    first: rotateCallbackSecret(input: $input) { team { callbackSecret } signingSecret json }
    second: rotateCallbackSecret(input: $input) { team { callbackSecret } signingSecret json } }`
  type Rotated = { team: { callbackSecret: string }; signingSecret: string; json: { signingSecret: string } }
  const { first, second } = await dataOf<Record<'first' | 'second', Rotated>>(twice, { input: { teamId: team.id } })
  expect(second.signingSecret).not.toBe(first.signingSecret)
  for (const { team: after, signingSecret, json } of [first, second])
    expect([after.callbackSecret, json.signingSecret]).toEqual([signingSecret, signingSecret])
})

test('a service token that may only read does not see the secret', async () => {
  const { team } = await aTeamWithKey(services)
  const { value } = await createServiceToken(aServiceContext(services), { name: 'reports', readOnly: true })
  const { data, errors } = await ask(read, { id: team.id }, { authorization: `Bearer ${value}` })
  expect([data?.['team'], errors[0]?.extensions.code]).toEqual([null, 'access_denied'])
})

test('the log of a team has callbacks without a subscription', async () => {
  const team = await aTeamWithKey(services)
  const url = 'http://127.0.0.1:9/order?id=1'
  const generationId = await aStartWithCallback(team, { url })
  await failAtOnce(services, generationId)
  const log = `query ($id: ID!, $callbacks: Boolean) { team(id: $id) { webhookDeliveries(callbacks: $callbacks) {
    nodes { id subscriptionId subscription { id } address eventNumber generationId state } } } }`
  const listed = { subscriptionId: null, subscription: null, address: url, eventNumber: 1, generationId, state: 'PENDING' }
  for (const callbacks of [true, null]) {
    const { team: found } = await dataOf<{ team: { webhookDeliveries: { nodes: object[] } } }>(log, { id: team.team.id, callbacks })
    expect(found.webhookDeliveries.nodes).toEqual([{ ...listed, id: expect.stringMatching(/^evt_/) }])
  }
  const [delivery] = await callbackLogOf(services, team)
  const again = `mutation ($input: RedeliverInput!) { redeliver(input: $input) { subscriptionId state } }`
  expect(await dataOf(again, { input: { deliveryId: delivery?.id } })).toEqual({ redeliver: { subscriptionId: null, state: 'PENDING' } })
})

test('a person who reads the secret is recorded until the next rotation, and the one who rotates stays', async () => {
  const { team, user: owner } = await aTeamWithKey(services)
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const membersQuery = `query ($id: ID!) { team(id: $id) { members { nodes { user { id } sawCallbackSecret } } } }`
  type Members = { team: { members: { nodes: { user: { id: string }; sawCallbackSecret: boolean }[] } } }
  const readers = async () => {
    const { team: found } = await dataOf<Members>(membersQuery, { id: team.id })
    return found.members.nodes.filter(({ sawCallbackSecret }) => sawCallbackSecret).map(({ user }) => user.id)
  }
  await dataOf(read, { id: team.id })
  expect(await readers()).toEqual([])
  await aPerson(services, admin.id)(read, { id: team.id })
  await aPerson(services, admin.id)(read, { id: team.id })
  expect(await readers()).toEqual([admin.id])
  await aPerson(services, owner.id)(rotate, { input: { teamId: team.id } })
  expect(await readers()).toEqual([owner.id])
})

test('failing hosts are listed, and what failed since a moment is sent again', async () => {
  const team = await aTeamWithKey(services)
  for (const port of [9, 10]) await failAtOnce(services, await aStartWithCallback(team, { url: `http://127.0.0.1:${port}/` }))
  await attemptAllDue(aServiceContext(services))
  const hosts = `query ($id: ID!) { team(id: $id) { failingCallbacks { origin lastDeliveryOutcome health { failedAttempts retrying } } } }`
  const { team: found } = await dataOf<{ team: { failingCallbacks: { origin: string }[] } }>(hosts, { id: team.team.id })
  const host = { lastDeliveryOutcome: 'RETRYING', health: { failedAttempts: 1, retrying: 1 } }
  expect(found.failingCallbacks.map(({ origin }) => origin).toSorted()).toEqual(['http://127.0.0.1:10', 'http://127.0.0.1:9'])
  expect(found.failingCallbacks).toMatchObject([host, host])

  const again = `mutation ($input: RedeliverFailedInput!) { redeliverFailed(input: $input) }`
  const since = new Date(services.clock.now().getTime() - 60_000).toISOString()
  const input = { callbacksOf: team.team.id, since }
  expect(await dataOf(again, { input })).toEqual({ redeliverFailed: 0 })
  await services.pool.query(
    `with closed as (update webhook_deliveries d set state = 'failed', next_attempt_at = null, retries_left = null
         from callbacks c where c.delivery_id = d.id and c.team_id = $1 returning d.id)
       update callbacks set state = 'failed' from closed where delivery_id = closed.id`,
    [team.team.id],
  )
  const stranger = await aTeamWithKey(services)
  expect((await aPerson(services, stranger.user.id)(again, { input })).codes).toEqual(['access_denied'])
  expect((await aPerson(services, team.user.id)(again, { input: { ...input, max: 1 } })).data).toEqual({ redeliverFailed: 1 })
  expect(await dataOf(again, { input })).toEqual({ redeliverFailed: 1 })
  expect((await callbackLogOf(services, team)).map(({ state }) => state)).toEqual(['pending', 'pending'])
  for (const faulty of [{ since }, { ...input, subscriptionId: 'hook_x' }, { since, callbacksOf: 'team_x' }]) {
    expect((await ask(again, { input: faulty })).errors[0]?.extensions.code).toBe('invalid_request')
  }
})
