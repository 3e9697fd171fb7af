import { afterAll, expect, test } from 'vitest'
import { createServiceToken } from '../../../src/domain/access/serviceTokens.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'
import { aStartWithCallback, callbackLogOf, failAtOnce } from '../../support/webhooks/callbacks.ts'
import { loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const { app, ask, told } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const read = `query ($id: ID!) { team(id: $id) { callbackSecret callbackSecretOverlapEndsAt } }`
const rotate = `mutation ($input: RotateCallbackSecretInput!) { rotateCallbackSecret(input: $input) { team { callbackSecret callbackSecretOverlapEndsAt } signingSecret } }`
type Read = { team: { callbackSecret: string; callbackSecretOverlapEndsAt: string | null } }

test('a team has a secret for callbacks, which can be read again and rotated with an overlap', async () => {
  const { team } = await aTeamWithKey(services)
  const first = (await told<Read>(read, { id: team.id })).team
  expect(first).toEqual({ callbackSecret: expect.stringMatching(/^whsec_/), callbackSecretOverlapEndsAt: null })
  expect((await told<Read>(read, { id: team.id })).team).toEqual(first)
  const rotated = (
    await told<{ rotateCallbackSecret: Read & { signingSecret: string } }>(rotate, { input: { teamId: team.id, overlapHours: 2 } })
  ).rotateCallbackSecret
  expect(rotated.signingSecret).not.toBe(first.callbackSecret)
  expect(rotated.team.callbackSecret).toBe(rotated.signingSecret)
  expect(rotated.team.callbackSecretOverlapEndsAt).not.toBeNull()
  for (const overlapHours of [-1, 25])
    expect((await ask(rotate, { input: { teamId: team.id, overlapHours } })).errors[0]?.extensions.code).toBe('invalid_request')
  expect((await ask(rotate, { input: { teamId: 'team_x' } })).errors[0]?.extensions.code).toBe('invalid_request')
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
    const { team: found } = await told<{ team: { webhookDeliveries: { nodes: object[] } } }>(log, { id: team.team.id, callbacks })
    expect(found.webhookDeliveries.nodes).toEqual([{ ...listed, id: expect.stringMatching(/^evt_/) }])
  }
  const [delivery] = await callbackLogOf(services, team)
  const again = `mutation ($input: RedeliverInput!) { redeliver(input: $input) { subscriptionId state } }`
  expect(await told(again, { input: { deliveryId: delivery?.id } })).toEqual({ redeliver: { subscriptionId: null, state: 'PENDING' } })
})
