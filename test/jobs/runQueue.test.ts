import type { PoolClient } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { runQueue } from '../../src/jobs/runQueue.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

test('a queue whose first look for a job met a broken connection still runs jobs', async () => {
  const { pool } = services
  const { promise: done, resolve: ran } = Promise.withResolvers<void>()
  let failures = 0
  const flaky = new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name)
      return async (): Promise<PoolClient> => {
        const client = await target.connect()
        return failures > 0 ? client : failingOnLook(client)
      }
    },
  })
  function failingOnLook(client: PoolClient): PoolClient {
    return new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'query' || typeof value !== 'function') return typeof value === 'function' ? value.bind(target) : value
        return (asked: { text?: string }, ...rest: unknown[]) => {
          if (failures > 0 || !asked.text?.includes('_private_tasks')) return value.call(target, asked, ...rest)
          failures++
          return Promise.reject(new Error('the connection broke'))
        }
      },
    })
  }

  const runner = await runQueue({ pgPool: flaky, taskList: { hello: async () => ran() }, noHandleSignals: true }, () => undefined)
  await pool.query(`select graphile_worker.add_job('hello')`)
  await done
  await runner.stop()

  expect(failures).toBe(1)
})
