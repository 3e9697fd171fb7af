import { graphql } from 'graphql'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { schema } from '../../../src/schema/schema.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'
import { soon } from '../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { aDeliverer, anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const deliverer = await aDeliverer(services)
afterAll(async () => {
  await deliverer.stop()
  await close()
})

/** Runs a query as the owner of a team. */
async function runAsOwner<Data>({ user }: TeamWithKey, source: string, variableValues: Record<string, unknown>): Promise<Data> {
  const contextValue = { context: contextFor(services, { kind: 'person', userId: user.id }), signal: new AbortController().signal }
  const { data, errors } = await graphql({ schema, source, contextValue, variableValues })
  if (errors) throw new AggregateError(errors, errors.map(({ message }) => message).join())
  return data as Data
}

const log = `query ($team: ID!, $hook: ID, $state: WebhookDeliveryState, $event: WebhookEvent, $since: DateTime, $first: Int, $after: String) {
  team(id: $team) {
    webhookDeliveries(subscriptionId: $hook, state: $state, event: $event, since: $since, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id state event generationId subscription { id address } }
    }
    webhookSubscriptions { nodes { id health {
      delivered failedAttempts successRate waiting retrying hours { start delivered failedAttempts }
    } } }
  }
}`

type Log = {
  team: {
    webhookDeliveries: {
      pageInfo: { hasNextPage: boolean; endCursor: string }
      nodes: { id: string; state: string; event: string; generationId: string | null; subscription: { id: string } }[]
    }
    webhookSubscriptions: { nodes: { id: string; health: Record<string, unknown> & { hours: unknown[] } }[] }
  }
}

test('an owner reads the log of the team with all filters, and the health of its receivers', async () => {
  const team = await aTeamWithKey(services)
  const well = await aSubscription(services, team, (await aReceiver()).address)
  const broken = await aReceiver((response) => response.writeHead(500).end('no'))
  const ill = await aSubscription(services, team, broken.address, ['generation.failed'])
  const read = (variables: Record<string, unknown> = {}) => runAsOwner<Log>(team, log, { team: team.team.id, ...variables })
  const nodesOf = async (variables: Record<string, unknown>) => (await read(variables)).team.webhookDeliveries.nodes
  const ready = await anEnding(team, 'ready')
  const failed = await anEnding(team, 'failed')
  const testEvent = await sendTestEvent(aServiceContext(services), well.subscription.id)
  await vi.waitFor(
    async () => expect((await nodesOf({})).map(({ state }) => state).toSorted()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED', 'FAILED']),
    soon,
  )

  const all = await nodesOf({})
  expect(all.map(({ generationId }) => String(generationId)).toSorted()).toEqual([ready, failed, failed, 'null'].toSorted())
  expect(await nodesOf({ state: 'FAILED' })).toMatchObject([{ generationId: failed, subscription: { id: ill.subscription.id } }])
  expect(await nodesOf({ hook: well.subscription.id, event: 'GENERATION_FAILED' })).toMatchObject([{ generationId: failed }])
  expect(await nodesOf({ event: 'GENERATION_CANCELLED' })).toEqual([])
  expect(await nodesOf({ since: '2036-01-01T00:00:00Z' })).toEqual([])
  expect((await nodesOf({ hook: well.subscription.id, event: 'GENERATION_COMPLETED' })).map(({ id }) => id)).toContain(testEvent.id)

  const { pageInfo, nodes } = (await read({ first: 3 })).team.webhookDeliveries
  expect(pageInfo.hasNextPage).toBe(true)
  const rest = await read({ first: 3, after: pageInfo.endCursor })
  expect([...nodes, ...rest.team.webhookDeliveries.nodes]).toEqual(all)
  await expect(read({ after: 'bm9uc2Vuc2U' })).rejects.toThrow(/cursor/i)

  const health = new Map((await read()).team.webhookSubscriptions.nodes.map((each) => [each.id, each.health]))
  expect(health.get(well.subscription.id)).toMatchObject({ delivered: 3, failedAttempts: 0, successRate: 1, waiting: 0, retrying: 0 })
  expect(health.get(ill.subscription.id)).toMatchObject({ delivered: 0, failedAttempts: 7, successRate: 0 })
  expect(health.get(ill.subscription.id)?.hours).toHaveLength(24)
})

test('a receiver without requests has no success rate', async () => {
  const team = await aTeamWithKey(services)
  await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  const { team: found } = await runAsOwner<Log>(team, log, { team: team.team.id })
  expect(found.webhookSubscriptions.nodes[0]?.health).toMatchObject({ delivered: 0, failedAttempts: 0, successRate: null })
})

test('the log of a foreign webhook is empty, like that of an unknown one', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const foreign = await aSubscription(services, other, (await aReceiver()).address)
  await anEnding(other)
  for (const hook of [foreign.subscription.id, newId('hook')]) {
    expect((await runAsOwner<Log>(team, log, { team: team.team.id, hook })).team.webhookDeliveries.nodes).toEqual([])
  }
  const deliveries = 'query ($id: ID!) { webhookSubscription(id: $id) { id } }'
  const answers = [foreign.subscription.id, newId('hook')].map((id) => runAsOwner(team, deliveries, { id }).catch(String))
  expect(new Set(await Promise.all(answers)).size).toBe(1)
})

test('an owner sends failed deliveries again, a limited number at a time', async () => {
  const team = await aTeamWithKey(services)
  let isWell = false
  const receiver = await aReceiver((response) => response.writeHead(isWell ? 204 : 500).end())
  const { subscription } = await aSubscription(services, team, receiver.address)
  for (let count = 0; count < 3; count += 1) await anEnding(team)
  const failed = async (state: string) => (await runAsOwner<Log>(team, log, { team: team.team.id, state })).team.webhookDeliveries.nodes
  await vi.waitFor(async () => expect(await failed('FAILED')).toHaveLength(3), soon)
  isWell = true
  const recover = 'mutation ($input: RedeliverFailedInput!, $max: Int) { redeliverFailed(input: $input, max: $max) }'
  const input = { subscriptionId: subscription.id, since: '2026-01-01T00:00:00Z' }
  await expect(runAsOwner(team, recover, { input: { ...input, max: 0 } })).rejects.toThrow('Takes at least 1.')
  expect(await runAsOwner(team, recover, { input: { ...input, max: 1 }, max: 3 })).toEqual({ redeliverFailed: 1 })
  // The former place of the argument.
  expect(await runAsOwner(team, recover, { input, max: 1 })).toEqual({ redeliverFailed: 1 })
  expect(await runAsOwner(team, recover, { input })).toEqual({ redeliverFailed: 1 })
  await vi.waitFor(async () => expect(await failed('DELIVERED')).toHaveLength(3), soon)
})
