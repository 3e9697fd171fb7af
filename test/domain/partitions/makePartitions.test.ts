import { afterAll, expect, test } from 'vitest'
import { partitionFaults } from '../../../src/domain/partitions/partitionFaults.ts'
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
const faults = () => partitionFaults(context)

test('a missing month between others is reported and created, also when a retired partition had its name', async () => {
  const { pool } = own.services
  await own.clock.set(inMonths(8))
  await keepPartitions(context)
  const name = `generations_${inMonths(4).toISOString().slice(0, 7).replace('-', '_')}`
  await pool.query(`insert into retired_partitions (name, of_table, until_id, retired_at, dropped_at)
    select partition_name, 'generations', until_id, present(), present() from partitions_of('generations') where partition_name = '${name}'`)
  await pool.query(`alter table generations detach partition ${name}`)
  await own.clock.set(inMonths(4))
  expect(await faults()).toEqual([
    {
      words: expect.stringContaining(`generations: no partition for the period from ${inMonths(4).toISOString().slice(0, 7)}-01;`),
      since: new Date(`${inMonths(4).toISOString().slice(0, 7)}-01T00:00:00Z`),
    },
  ])
  await keepPartitions(context)
  expect(await faults()).toEqual([])
  expect(await partitionsOf('generations')).toContain(`${name}_2`)
  await pool.query(`alter table generations detach partition ${name}_2; drop table ${name}, ${name}_2`)
  await keepPartitions(context)
  expect(await partitionsOf('generations')).toContain(name)
  await own.clock.set(inMonths(8))
  for (let runs = 0; runs < 6; runs++) await clearPartitions(context)
  expect(await partitionsOf('generations')).not.toContain(name)
  expect((await pool.query('select dropped_at is not null as dropped from retired_partitions where name = $1', [name])).rows).toEqual([
    { dropped: true },
  ])
})
