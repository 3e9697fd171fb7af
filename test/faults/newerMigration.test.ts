import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { contextFor } from '../../src/domain/context.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { serviceToken } from '../support/http/graphql.ts'
import { aCommand } from '../support/processes/command.ts'
import { testServices } from '../support/services.ts'
import { aReceiver } from '../support/webhooks/receiver.ts'
import { aSubscription, loopback } from '../support/webhooks/webhooks.ts'

const secretKey = Buffer.alloc(32, 7)
const { services, databaseUrl, close } = await testServices({ secretKey, settings: loopback })
afterAll(close)

const clients = 4
const roundsBetween = 4

test('a newer release that adds a column to every table breaks no request and no job of running processes', {
  timeout: 120_000,
}, async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await aSubscription(services, team, receiver.address)
  const env = {
    DATABASE_URL: databaseUrl,
    SERVICE_TOKEN: serviceToken,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '1000000',
    CONCURRENT_REQUESTS_MAX: '1000',
  }
  const [{ port }] = await Promise.all([aCommand('serve', env), aCommand('work', env)])
  const traffic = someTraffic(`http://127.0.0.1:${port}`, { key: team.value, teamId: team.team.id })
  await traffic.rounds(roundsBetween)
  await addColumns()
  await traffic.rounds(roundsBetween)
  await traffic.stop()

  expect(traffic.answered.filter(({ status, text }) => status >= 400 || text.includes('"errors"'))).toEqual([])
  const states = 'select distinct state from generations order by state'
  await vi.waitFor(async () => expect(await texts(states)).toEqual(['cancelled', 'ready']), { timeout: 20_000, interval: 50 })
  expect(await texts(`select distinct last_error from graphile_worker.jobs where last_error is not null`)).toEqual([])
  expect(await checkBooks(contextFor(services, { kind: 'service' }))).toEqual({ clean: true, faults: [] })
})

async function addColumns(): Promise<void> {
  const newer = new pg.Client(databaseUrl)
  await newer.connect()
  try {
    const { rows } = await newer.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )
    for (const { name } of rows) await newer.query(`alter table ${name} add column of_a_newer_release text not null default 'given'`)
  } finally {
    await newer.end()
  }
}

async function texts(query: string): Promise<string[]> {
  const { rows } = await services.pool.query({ text: query, rowMode: 'array' })
  return rows.flat() as string[]
}

/** Clients that use every operation repeatedly, until stopped. */
function someTraffic(origin: string, { key, teamId }: { key: string; teamId: string }) {
  const answered: { asked: string; status: number; text: string }[] = []
  const done = Array.from({ length: clients }, () => 0)
  let stopped = false
  const ask = async (asked: string, body?: unknown, bearer = key) => {
    const [method = '', path = ''] = asked.split(' ')
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    answered.push({ asked, status: response.status, text })
    return JSON.parse(text)
  }
  const round = async () => {
    const draft = { familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { width: 64, height: 64 } }
    const { generationId } = await ask('POST /api/v1/generations', draft)
    const slow = await ask('POST /api/v1/generations', { ...draft, parameters: { runSeconds: 60 } })
    await ask(`POST /api/v1/generations/${slow.generationId}/cancel`)
    for (const path of ['account', 'families', 'generations', 'generations?status=active', 'generations?status=ready'])
      await ask(`GET /api/v1/${path}`)
    await ask('POST /api/v1/generations/estimate', draft)
    await ask('POST /api/v1/files', { base64: pixel })
    await ask('POST /graphql', { query: everyList, variables: { teamId } }, serviceToken)
    await ask(`GET /api/v1/generations/${generationId}?wait=10`)
  }
  const client = async (number: number) => {
    while (!stopped) {
      await round()
      done[number] = (done[number] ?? 0) + 1
    }
  }
  const running = Promise.all(done.map((_, number) => client(number)))
  return {
    answered,
    rounds: async (count: number) => {
      const goal = done.map((rounds) => rounds + count)
      const reached = vi.waitFor(() => expect(done.every((rounds, number) => rounds >= (goal[number] ?? 0))).toBe(true), {
        timeout: 50_000,
        interval: 20,
      })
      await Promise.race([reached, running])
      await reached
    },
    stop: async () => {
      stopped = true
      await running
    },
  }
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const everyList = `query ($teamId: ID!) {
  team(id: $teamId) {
    apiKeys { edges { node { id lastUsedAt heldCredits } } }
    members { edges { node { role } } }
    generations(first: 5) { edges { node { generationId } } }
    ledger(first: 5) { edges { node { credits } } }
    webhookSubscriptions { edges { node { id deliveries(first: 5) { edges { node { state attempts } } } } } }
  }
}`
