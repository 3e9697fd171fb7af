import { afterAll, expect, test, vi } from 'vitest'
import { openReplica } from '../../../src/database/replica/replica.ts'
import { makeReadRouter } from '../../../src/domain/readRouter.ts'
import { testApp } from '../../support/app.ts'
import { testPool } from '../../support/database/database.ts'
import { openReplicatedDatabase } from '../../support/database/replicatedDatabase.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { primary, standby, close } = await openReplicatedDatabase()
const log = { debug() {}, info() {}, warn() {}, error() {} }
const pool = testPool(primary.url, 4)
const replica = openReplica({ url: standby.url, primary: pool, poolMax: 4, log, pollIntervalMs: 100 })
const answeredBy = { replica: 0, primary: 0 }
const history = makeReadRouter(replica, { log, measures: { historyRead: (who) => void (answeredBy[who] += 1) } })
const app = await testApp({ databaseUrl: primary.url, clock: 'database', alive: true, history, settings: loopback })
const endpoint = await testEndpoint(app.services)
afterAll(async () => {
  await endpoint.app.close()
  await app.close()
  await replica.close()
  await pool.end()
  await close()
})

const moves = generationTransitions(app.services)
const team = await aTeamWithKey(app.services)
const hook = await aSubscription(app.services, team, 'http://127.0.0.1:9/')
const soon = { timeout: 15_000, interval: 20 }
const isTrusted = (wanted: boolean) => vi.waitFor(() => expect(history.isUsed()).toBe(wanted), soon)

const start = async (): Promise<string> => {
  const { body } = await app.ask('POST /generations', { key: team.value, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  return body.generationId
}
const newest = async () => (await app.ask('GET /generations?limit=1', { key: team.value })).body.items[0]
const usedByKey = async () => (await app.ask('GET /usage?by=key', { key: team.value })).body.items as unknown as { generations: number }[]
const newestDelivery = async () => {
  const asked = '{ webhookSubscription(id: "HOOK") { deliveries(first: 1) { nodes { generationId } } } }'
  const data = await endpoint.dataOf<{ webhookSubscription: { deliveries: { nodes: { generationId: string }[] } } }>(
    asked.replace('HOOK', hook.subscription.id),
  )
  return data.webhookSubscription.deliveries.nodes[0]?.generationId
}

/** Counts the reads of each server while `work` runs. */
const during = async (work: () => Promise<unknown>) => {
  const before = { ...answeredBy }
  await work()
  return { replica: answeredBy.replica - before.replica, primary: answeredBy.primary - before.primary }
}

/** Delays what the replica applies. */
const applyAfter = async (delay: string) => {
  await standby.cluster.ask(`alter system set recovery_min_apply_delay = '${delay}'`)
  await standby.cluster.ask('select pg_reload_conf()')
}

test('histories, usage and delivery logs are read from the replica, and are never older than an earlier answer', async () => {
  await isTrusted(true)
  await applyAfter('40ms')
  const seen = await during(async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const id = await start()
      expect((await newest())?.generationId).toBe(id)
    }
  })
  await applyAfter('0')
  // After a quarter of a second, the primary is read instead.
  expect(seen.replica).toBeGreaterThan(0)

  const ended = await anEnding(team, 'ready')
  expect(await newestDelivery()).toBe(ended)
  const [usage] = await usedByKey()
  await anEnding(team, 'ready')
  expect((await usedByKey())[0]?.generations).toBe((usage?.generations ?? 0) + 1)
  for (const read of [newest, usedByKey, newestDelivery])
    await vi.waitFor(async () => expect(await during(read)).toEqual({ replica: expect.any(Number), primary: 0 }), soon)
})

test('a replica that lags is not read for newer rows, and its lag is reported', async () => {
  await isTrusted(true)
  await standby.cluster.ask('select pg_wal_replay_pause()')
  await vi.waitFor(
    async () => expect(await standby.cluster.ask('select pg_get_wal_replay_pause_state() as state')).toEqual([{ state: 'paused' }]),
    soon,
  )
  const seen = await during(async () => {
    const id = await start()
    expect((await newest())?.generationId).toBe(id)
    await moves.begin(id)
    expect(await newest()).toMatchObject({ generationId: id, state: 'running' })
  })
  expect(seen).toEqual({ replica: 0, primary: 2 })
  await vi.waitFor(() => expect(history.lagSeconds()).toBeGreaterThan(0.5), soon)

  await standby.cluster.ask('select pg_wal_replay_resume()')
  await vi.waitFor(() => expect(history.lagSeconds()).toBeLessThan(0.5), soon)
  await isTrusted(true)
  await vi.waitFor(async () => expect((await during(newest)).replica).toBe(1), soon)
})

test('with a dead or promoted replica, lists are read from the primary', async () => {
  await isTrusted(true)
  await standby.cluster.break('killed')
  const id = await start()
  expect((await newest())?.generationId).toBe(id)
  await isTrusted(false)
  await standby.cluster.start()
  await isTrusted(true)

  await standby.cluster.ask('select pg_promote()')
  const seen = await during(async () => {
    const next = await start()
    expect((await newest())?.generationId).toBe(next)
    await isTrusted(false)
    expect((await newest())?.generationId).toBe(next)
  })
  expect(seen).toEqual({ replica: 0, primary: 2 })
})
