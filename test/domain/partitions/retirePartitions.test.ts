import { afterAll, expect, test } from 'vitest'
import { clearPartitions, keepPartitions } from '../../../src/jobs/maintenance/keepPartitions.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { testServices } from '../../support/services.ts'

const own = await testServices({ settings: { historyRetentionDays: 31 } })
afterAll(own.close)
const real = new Date()
const inMonths = (months: number) => new Date(Date.UTC(real.getUTCFullYear(), real.getUTCMonth() + months, 15))
const partitionsOf = async (table: string): Promise<string[]> =>
  (await own.services.pool.query('select partition_name from partitions_of($1) order by until_id', [table])).rows.map(
    (row) => row.partition_name,
  )
const context = aJobContext(own.services)

test('one run retires at most one partition of each table, whatever the clock says', async () => {
  await own.clock.set(inMonths(3))
  await keepPartitions(context)
  const [generations, deliveries] = [await partitionsOf('generations'), await partitionsOf('webhook_deliveries')]
  await own.clock.set(inMonths(12))
  await clearPartitions(context)
  expect(await partitionsOf('generations')).toEqual(generations.slice(1))
  expect(await partitionsOf('webhook_deliveries')).toEqual(deliveries.slice(1))
})
