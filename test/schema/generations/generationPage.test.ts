import { afterAll, expect, test } from 'vitest'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const endpoint = await testEndpoint(services)
const own = await aTeamWithKey(services)
const moves = generationTransitions(services)
const hooks = [await aSubscription(services, own, 'http://127.0.0.1:9/a'), await aSubscription(services, own, 'http://127.0.0.1:9/b')]

async function aStart(): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  return String((await startGeneration(own.context, own.spender, { request, idempotencyKey: undefined })).generation['generationId'])
}

const ids = [await aStart(), await aStart(), await aStart()] as const
const query = `query ($team: ID!, $id: ID!) { team(id: $team) {
  generationNeighbours(id: $id) { newerId olderId }
  generationDeliveries(id: $id) { generationId event subscription { id } }
} }`
const read = async (id: string) => (await endpoint.ask(query, { team: own.team.id, id })).data?.['team'] as Record<string, unknown> | null

test('the neighbours of a generation are those of the history of its team', async () => {
  await aTeamWithKey(services)
  expect((await read(ids[1]))?.['generationNeighbours']).toEqual({ newerId: ids[2], olderId: ids[0] })
  expect((await read(ids[0]))?.['generationNeighbours']).toEqual({ newerId: ids[1], olderId: null })
})

test('the deliveries of a generation are those of its event alone', async () => {
  expect((await read(ids[0]))?.['generationDeliveries']).toEqual([])
  await Promise.all([moves.fail(ids[0]), moves.fail(ids[1])])
  const deliveries = (await read(ids[0]))?.['generationDeliveries']
  expect(deliveries).toEqual(
    hooks.map(({ subscription: { id } }) => ({ generationId: ids[0], event: 'GENERATION_FAILED', subscription: { id } })),
  )
})

test('a generation of another team is unknown', async () => {
  const other = await aTeamWithKey(services)
  const answer = await endpoint.ask(query, { team: other.team.id, id: ids[0] })
  expect(answer.errors[0]?.extensions.code).toBe('generation_not_found')
})
