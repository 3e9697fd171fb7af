import { afterAll, expect, onTestFinished, test } from 'vitest'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { purgeDeletedOwners } from '../../../../src/domain/generations/retention/purgeDeletedOwners.ts'
import { endAllCallbacks } from '../../../../src/domain/webhooks/callbacks/endAllCallbacks.ts'
import { pruneCallbacks } from '../../../../src/domain/webhooks/callbacks/pruneCallbacks.ts'
import { deliveriesOfGeneration } from '../../../../src/domain/webhooks/deliveries/deliveriesOfGeneration.ts'
import { deliveryBodies } from '../../../../src/domain/webhooks/deliveries/findDelivery.ts'
import { listTeamDeliveries } from '../../../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { pruneDeliveries } from '../../../../src/domain/webhooks/deliveries/pruneDeliveries.ts'
import { redeliver } from '../../../../src/domain/webhooks/deliveries/redeliver.ts'
import { beginAttempts } from '../../../../src/domain/webhooks/sending/beginAttempts.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aStartWithCallback, callbackLogOf, failAtOnce } from '../../../support/webhooks/callbacks.ts'
import { soon } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { aDeliverer, anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)
const context = () => aServiceContext(services)
const logOf = (team: TeamWithKey) => callbackLogOf(services, team)
const rowsOf = async ({ team }: TeamWithKey) =>
  (await services.pool.query('select state from callbacks where team_id = $1 order by generation_id', [team.id])).rows.map(
    ({ state }) => state,
  )

async function anEndWithCallback(team: TeamWithKey, url: string): Promise<string> {
  const id = await aStartWithCallback(team, { url })
  await failAtOnce(services, id)
  return id
}

/** Sends what is due until nothing is, without the pauses. */
async function sendAll(): Promise<void> {
  while ((await attemptAllDue(context(), { answerSeconds: 0.3 })) > 0) {
    await services.pool.query('update webhook_deliveries set next_attempt_at = now() where retries_left is not null')
  }
}

test('the end of a generation is sent to its callback alone, to the whole URL, beside the webhooks of the team', async () => {
  const team = await aTeamWithKey(services)
  const [hook, callback] = [await aReceiver(), await aReceiver()]
  await aSubscription(services, team, hook.address)
  const id = await anEndWithCallback(team, `${callback.address}/order?id=4711`)
  const other = await anEnding(team)
  await sendAll()
  const idsAt = ({ received }: typeof hook) => received.map(({ body }) => JSON.parse(String(body)).data.generation.generationId)
  expect(idsAt(hook)).toEqual([id, other])
  expect(idsAt(callback)).toEqual([id])
  const [logged] = await logOf(team)
  expect(logged).toMatchObject({ subscriptionId: null, address: `${callback.address}/order?id=4711`, eventNumber: 1, state: 'delivered' })
  expect(JSON.parse(String(callback.received[0]?.body)).id).toBe(logged?.id)
  const asked = { teamId: team.team.id, generationId: id, endedAt: clock.now() }
  const both = await deliveriesOfGeneration(context(), asked)
  expect(both.map(({ address }) => address).toSorted()).toEqual([hook.address, `${callback.address}/order?id=4711`].toSorted())
})

test('only the chosen ends are sent; the callback of another end is forgotten', async () => {
  const team = await aTeamWithKey(services)
  const url = 'http://127.0.0.1:9/'
  await failAtOnce(services, await aStartWithCallback(team, { url, events: ['generation.completed', 'generation.cancelled'] }))
  await failAtOnce(services, await aStartWithCallback(team, { url, events: ['generation.failed'] }))
  expect((await logOf(team)).map(({ event }) => event)).toEqual(['generation.failed'])
  expect(await rowsOf(team)).toEqual(['pending'])
})

test('a receiver that answers 500, redirects or hangs gets seven attempts, then the delivery is closed and can be sent again', async () => {
  const team = await aTeamWithKey(services)
  let works = false
  const target = await aReceiver()
  const failing = await aReceiver((response) => void response.writeHead(works ? 204 : 500).end('no'))
  const redirecting = await aReceiver((response) => void response.writeHead(302, { location: target.address }).end())
  const hanging = await aReceiver(() => undefined)
  for (const { address } of [failing, redirecting, hanging]) await anEndWithCallback(team, address)
  await sendAll()
  expect((await logOf(team)).map(({ state, attempts, responseCode }) => [state, attempts, responseCode])).toEqual([
    ['failed', 7, 500],
    ['failed', 7, 302],
    ['failed', 7, null],
  ])
  expect(await rowsOf(team)).toEqual(['failed', 'failed', 'failed'])
  expect(target.received).toEqual([])
  works = true
  const [first] = await logOf(team)
  expect(await redeliver(context(), first?.id ?? '')).toMatchObject({ state: 'pending', subscriptionId: null })
  expect((await rowsOf(team))[0]).toBe('pending')
  await sendAll()
  expect((await logOf(team))[0]).toMatchObject({ state: 'delivered', attempts: 8 })
  expect(failing.ids()).toEqual(Array.from({ length: 8 }, () => first?.id))
})

test('an address that is private at the attempt gets no request', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await anEndWithCallback(team, receiver.address)
  const strict = { ...context(), settings: { ...services.settings, allowedPrivateAddresses: [] } }
  await attemptAllDue(strict)
  const [logged] = await logOf(team)
  expect(logged).toMatchObject({ state: 'retrying', responseCode: null, refusal: 'address is private' })
  expect(receiver.received).toEqual([])
})

test('a hanging host does not delay another one', async () => {
  const team = await aTeamWithKey(services)
  const [hanging, quick] = [await aReceiver(() => undefined), await aReceiver()]
  for (let count = 0; count < 5; count += 1) await anEndWithCallback(team, hanging.address)
  const deliverer = await aDeliverer(services)
  // Also after a failure: it would deliver for the next tests.
  onTestFinished(() => deliverer.stop())
  await anEndWithCallback(team, quick.address)
  await expect.poll(() => quick.received.length, soon).toBe(1)
  // Two at a time for one host. The second request may still be on its way.
  await expect.poll(() => hanging.received.length, soon).toBe(2)
  expect(hanging.received).toHaveLength(2)
})

test('a process that ended between the end and the delivery, or in an attempt, loses no callback', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await anEndWithCallback(team, receiver.address)
  await anEndWithCallback(team, receiver.address)
  const [first] = await logOf(team)
  await beginAttempts(context(), [first?.id ?? ''])
  const deliverer = await aDeliverer(services)
  await expect.poll(async () => (await logOf(team)).map(({ state }) => state), soon).toEqual(['delivered', 'delivered'])
  await deliverer.stop()
  expect(new Set(receiver.ids()).size).toBe(2)
})

test('the log of a team merges callbacks and webhooks in the order of time, by page and by filter', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  for (let port = 1; port <= 6; port += 1) {
    await clock.advance(1000)
    await anEndWithCallback(team, `http://127.0.0.1:${port}/`)
  }
  const read = async (filter: object, limit = 50) => {
    const found = []
    for (let after: string | undefined; ; ) {
      const window = { limit, fromTheEnd: false, ...(after === undefined ? {} : { after }) }
      const page = await listTeamDeliveries(context(), { teamId: team.team.id, ...filter }, window)
      found.push(...page)
      after = page.at(-1)?.cursor
      if (page.length < limit) return found.map(({ id }) => id)
    }
  }
  const all = await read({})
  expect(all).toHaveLength(12)
  expect(await read({}, 5)).toEqual(all)
  const callbacks = (await logOf(team)).map(({ id }) => id).toReversed()
  expect(await read({ kind: 'callback' }, 2)).toEqual(callbacks)
  expect(all.filter((id) => callbacks.includes(id))).toEqual(callbacks)
  expect(await read({ subscriptionId: subscription.id })).toHaveLength(6)
  expect(await read({ kind: 'callback', state: 'delivered' })).toEqual([])
  expect(await read({ kind: 'callback', event: 'generation.failed', since: clock.now() })).toEqual(callbacks.slice(0, 1))
  const another = await aTeamWithKey(services)
  expect(await listTeamDeliveries(context(), { teamId: another.team.id }, { limit: 9, fromTheEnd: false })).toEqual([])
})

test('callbacks are kept for 30 days, like the log', async () => {
  const team = await aTeamWithKey(services)
  await anEndWithCallback(team, 'http://127.0.0.1:9/')
  const waiting = await aStartWithCallback(team, { url: 'http://127.0.0.1:9/' })
  await clock.advance(29 * 86_400_000)
  for (const prune of [pruneDeliveries, pruneCallbacks]) await prune(context())
  expect(await logOf(team)).toHaveLength(1)
  await clock.advance(2 * 86_400_000)
  for (const prune of [pruneDeliveries, pruneCallbacks]) await prune(context())
  expect(await rowsOf(team)).toEqual([null])
  await failAtOnce(services, waiting)
  expect(await logOf(team)).toHaveLength(1)
})

test('the deletion of a team deletes its callbacks, and nothing more is sent', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await anEndWithCallback(team, receiver.address)
  const waiting = await aStartWithCallback(team, { url: receiver.address })
  await deleteTeam(context(), { teamId: team.team.id, name: team.team.name })
  await failAtOnce(services, waiting)
  await attemptAllDue(context())
  await purgeDeletedOwners(context())
  expect(await rowsOf(team)).toEqual([])
  expect(await logOf(team)).toEqual([])
  expect(receiver.received).toEqual([])
})

test('a restored copy calls nobody: waiting callbacks are dropped, and open deliveries can be sent again', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await anEndWithCallback(team, receiver.address)
  const waiting = await aStartWithCallback(team, { url: receiver.address })
  await endAllCallbacks(context())
  await failAtOnce(services, waiting)
  await attemptAllDue(context())
  expect(receiver.received).toEqual([])
  const [logged, ...others] = await logOf(team)
  expect([logged?.state, logged?.refusal, others]).toEqual(['failed', 'a backup was restored first', []])
  await redeliver(context(), logged?.id ?? '')
  await sendAll()
  expect(receiver.ids()).toEqual([logged?.id])
  expect((await deliveryBodies(context(), [logged?.id ?? '']))[0]).toBeDefined()
})
