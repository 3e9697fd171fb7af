import { Logger } from 'graphile-worker'
import { afterAll, expect, test } from 'vitest'
import { openPool } from '../../../src/database/pool/pool.ts'
import { runQueue } from '../../../src/jobs/runners/runQueue.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

test('a queue that the database refuses for another reason than an outage does not start, so that its process ends instead of taking no jobs', async () => {
  const missing = new URL(databaseUrl)
  missing.pathname = '/not_a_database'
  const pool = openPool(missing.href, { max: 2, log: services.log })
  const taskList = { late: async () => undefined }
  const options = { pgPool: pool, taskList, logger: new Logger(() => () => undefined), parsedCronItems: [], noHandleSignals: true }
  await expect(runQueue(options, { onPool: () => undefined, log: services.log })).rejects.toThrow('"not_a_database" does not exist')
  await pool.end()
})
