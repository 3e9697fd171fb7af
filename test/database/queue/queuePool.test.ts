import { once } from 'node:events'
import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { openQueuePool } from '../../../src/database/queue/queuePool.ts'
import { startTcpProxy } from '../../support/chaos/tcpProxy.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function proxiedDatabase() {
  const database = await testDatabase()
  closers.push(database.drop)
  const url = new URL(database.url)
  const proxy = await startTcpProxy({ port: Number(url.port) })
  closers.push(() => proxy.close())
  const pool = testPool(database.url, 1)
  closers.push(() => pool.end())
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const queuePool = openQueuePool(pool, { directUrl: url.href, log, heartbeatSeconds: 1 })
  closers.push(() => queuePool.close())
  const borrow = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      queuePool
        .poolFor(['deliverWebhooks'])
        .connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('there is no connection'))))
    })
  return { proxy, pool, borrow }
}

test('when the connection stops responding, every runner gets an error, and receives job notifications after it reconnects', async () => {
  const { proxy, pool, borrow } = await proxiedDatabase()
  const runners = [await borrow(), await borrow()]
  const errors = runners.map((runner) => once(runner, 'unused').catch((error: unknown) => error))
  proxy.cut('silent')
  expect(await Promise.all(errors)).toEqual([expect.any(Error), expect.any(Error)])
  proxy.mend()
  const reconnected = await borrow()
  const notification = once(reconnected, 'notification')
  await pool.query(`select graphile_worker.add_job('deliverWebhooks')`)
  expect(await notification).toMatchObject([{ channel: 'jobs:insert', payload: '{"count":1}' }])
})
