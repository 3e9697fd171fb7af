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

/** Resolves with the argument of the next callback. */
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

test('a notification reaches only the subscribers of its channel and identifier', async () => {
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

test('an ended subscription gets no callback, and ending it twice ends no other', async () => {
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

test('a subscriber that throws does not stop the others from being called', async () => {
  const from = await listen()
  from.subscribe('generation', 'gen_1', () => {
    throw new Error('broken')
  })
  const healthy = next(from, 'generation', 'gen_1')
  await notify('generation', 'gen_1')
  expect(await healthy).toBe('notice')
})

test('subscribing to a channel that was not opened throws', async () => {
  const from = await listen()
  expect(() => from.subscribe('generations', 'gen_1', () => undefined)).toThrow(/was not opened for the channel/)
})

test('after a reconnection every subscriber is called with reconnected, and notifications continue', async () => {
  const from = await listen()
  const callbacks = [next(from, 'generation', 'gen_1'), next(from, 'generation', 'gen_2'), next(from, 'Odd "channel"', 'x')]
  await breakListeners()
  expect(await Promise.all(callbacks)).toEqual(['reconnected', 'reconnected', 'reconnected'])

  const after = next(from, 'generation', 'gen_1')
  await notify('generation', 'gen_1')
  expect(await after).toBe('notice')
})

test('it reconnects after the database was unreachable for a while', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url)
  const callbacks = next(from, 'generation', 'gen_1')

  const refused = gate.refuseConnections(3)
  gate.closeConnections()
  await refused
  expect(await callbacks).toBe('reconnected')
})

test('a connection to a silent server is closed and reopened', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url, { heartbeatSeconds: 0.3 })
  const callbacks = next(from, 'generation', 'gen_1')
  gate.stallConnections()
  expect(await callbacks).toBe('reconnected')
  await from.close()
})

test('closing does not wait for a silent server', async () => {
  const gate = await databaseProxyTo(database.url)
  const from = await listen(gate.url)
  gate.stallConnections()
  const startedAt = performance.now()
  await from.close()
  expect(performance.now() - startedAt).toBeLessThan(4_000)
})

test('closing ends the connection at once, also while the database is unreachable, and may be repeated', async () => {
  const from = await listen()
  const silent = vi.fn<() => void>()
  from.subscribe('generation', 'gen_1', silent)
  await breakListeners()
  await from.close()
  await from.close()
  const sessions = "select from pg_stat_activity where application_name = 'atelier listen' and datname = current_database()"
  // The server lists an ended session for a moment.
  await vi.waitFor(async () => expect((await client.query(sessions)).rows).toHaveLength(0))
  expect(silent).not.toHaveBeenCalled()
})

test('with ten thousand subscribers a notification calls its own subscriber only, and fast', async () => {
  const from = await listen()
  let called = 0
  const stops = Array.from({ length: 10_000 }, (_, index) => from.subscribe('generation', `gen_${index}`, () => void called++))
  const own = next(from, 'generation', 'gen_7777')
  await notify('generation', 'gen_7777')
  await own
  expect(called).toBe(1)
  for (const stop of stops) stop()
})

test('an unreachable database rejects the opening', async () => {
  await expect(openListener('postgresql://u:p@127.0.0.1:1/x', { channels, log })).rejects.toThrow(/ECONNREFUSED/)
})
