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
  const line = await startTcpProxy({ port: Number(url.port) })
  closers.push(() => line.close())
  const pool = testPool(database.url, 1)
  closers.push(() => pool.end())
  url.hostname = '127.0.0.1'
  url.port = String(line.port)
  const queuePool = openQueuePool(pool, { directUrl: url.href, log, heartbeatSeconds: 1 })
  closers.push(() => queuePool.close())
  const borrow = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      queuePool
        .poolFor(['deliverWebhooks'])
        .connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('there is no connection'))))
    })
  return { line, pool, borrow }
}

test('every runner gets an error when the connection goes silent, and is notified of jobs after it reconnects', async () => {
  const { line, pool, borrow } = await proxiedDatabase()
  const runners = [await borrow(), await borrow()]
  const errors = runners.map((runner) => once(runner, 'unused').catch((error: unknown) => error))
  line.cut('silent')
  expect(await Promise.all(errors)).toEqual([expect.any(Error), expect.any(Error)])
  line.mend()
  const again = await borrow()
  const notification = once(again, 'notification')
  await pool.query(`select graphile_worker.add_job('deliverWebhooks')`)
  expect(await notification).toMatchObject([{ channel: 'jobs:insert', payload: '{"count":1}' }])
})
