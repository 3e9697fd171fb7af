import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Listener, openListener } from '../../../src/database/pool/listener.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { databaseProxyTo } from '../../support/database/databaseProxy.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const channels = ['generation', 'Odd "channel"']

let database: TestDatabase
let client: pg.Client
let listener: Listener | undefined
beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})
afterEach(() => listener?.close())
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function listen(url = database.url, options: { heartbeatSeconds?: number } = {}): Promise<Listener> {
  listener = await openListener(url, { channels, log, ...options })
  return listener
}

function notify(channel: string, id: string): Promise<unknown> {
  return client.query('select pg_notify($1, $2)', [channel, id])
}

/** Resolves with what the next call back says. */
function next(from: Listener, channel: string, id: string): Promise<string> {
  return new Promise((settle) => {
    const stop = from.subscribe(channel, id, (what) => {
      stop()
      settle(what)
    })
  })
}

async function breakListeners(): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier listen' and datname = current_database()",
  )
}

test('a notice reaches the subscribers of its channel and identifier, and nobody else', async () => {
  const from = await listen()
  const others = vi.fn<() => void>()
  from.subscribe('generation', 'gen_2', others)
  from.subscribe('Odd "channel"', 'gen_1', others)
  const both = [next(from, 'generation', 'gen_1'), next(from, 'generation', 'gen_1')]
  await notify('generation', 'gen_1')
  expect(await Promise.all(both)).toEqual(['notice', 'notice'])
  expect(others).not.toHaveBeenCalled()

  const odd = next(from, 'Odd "channel"', '')
  await notify('Odd "channel"', '')
  expect(await odd).toBe('notice')
})

test('one who has unsubscribed is not called, and unsubscribing twice takes nobody else away', async () => {
  const from = await listen()
  const gone = vi.fn<() => void>()
  const stop = from.subscribe('generation', 'gen_1', gone)
  stop()
  stop()
  const stays = next(from, 'generation', 'gen_1')
  stop()
  await notify('generation', 'gen_1')
  expect(await stays).toBe('notice')
  expect(gone).not.toHaveBeenCalled()
})

test('a subscriber that throws does not keep the notice from the others', async () => {
  const from = await listen()
  from.subscribe('generation', 'gen_1', () => {
    throw new Error('broken')
  })
  const healthy = next(from, 'generation', 'gen_1')
  await notify('generation', 'gen_1')
  expect(await healthy).toBe('notice')
})

test('a channel that nobody listens to is refused', async () => {
  const from = await listen()
  expect(() => from.subscribe('generations', 'gen_1', () => undefined)).toThrow(/nobody listens/)
})

test('when the database drops the connection, everyone is told after the reconnection and hears on', async () => {
  const from = await listen()
  const told = [next(from, 'generation', 'gen_1'), next(from, 'generation', 'gen_2'), next(from, 'Odd "channel"', 'x')]
  await breakListeners()
  expect(await Promise.all(told)).toEqual(['reconnected', 'reconnected', 'reconnected'])

  const after = next(from, 'generation', 'gen_1')
  await notify('generation', 'gen_1')
  expect(await after).toBe('notice')
})

test('it comes back by itself after the database could not be reached for a while', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url)
  const told = next(from, 'generation', 'gen_1')

  const refused = gate.refuseConnections(3)
  gate.closeConnections()
  await refused
  expect(await told).toBe('reconnected')
})

test('a connection whose other end fell silent is given up', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url, { heartbeatSeconds: 0.3 })
  const told = next(from, 'generation', 'gen_1')
  gate.stallConnections()
  expect(await told).toBe('reconnected')
  await from.close()
})

test('closing does not wait for an other end that fell silent', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url)
  gate.stallConnections()
  const begun = performance.now()
  await from.close()
  expect(performance.now() - begun).toBeLessThan(4_000)
})

test('closing ends the connection at once, even while the database cannot be reached, and may be repeated', async () => {
  const from = await listen()
  const silent = vi.fn<() => void>()
  from.subscribe('generation', 'gen_1', silent)
  await breakListeners()
  await from.close()
  await from.close()
  const { rows } = await client.query(
    "select from pg_stat_activity where application_name = 'atelier listen' and datname = current_database()",
  )
  expect(rows).toHaveLength(0)
  expect(silent).not.toHaveBeenCalled()
})

test('ten thousand subscribers cost little and one notice finds its own', async () => {
  const from = await listen()
  let called = 0
  const stops = Array.from({ length: 10_000 }, (_, index) => from.subscribe('generation', `gen_${index}`, () => void called++))
  const own = next(from, 'generation', 'gen_7777')
  await notify('generation', 'gen_7777')
  await own
  expect(called).toBe(1)
  for (const stop of stops) stop()
})

test('a database that is not there is an error', async () => {
  await expect(openListener('postgresql://u:p@127.0.0.1:1/x', { channels, log })).rejects.toThrow(/ECONNREFUSED/)
})
