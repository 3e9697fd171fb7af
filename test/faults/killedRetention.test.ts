import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { setTeamRetention } from '../../src/domain/access/teams/teamRetention.ts'
import { findLostObjects } from '../../src/domain/backups/lostObjects.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { aReady } from '../support/generations/retention.ts'
import { aCommand } from '../support/processes/command.ts'
import { testServices } from '../support/services.ts'

const dayMs = 86_400_000
const old = 160
const often = { timeout: 30_000, interval: 1 }

/** A team that keeps media for a day, with `old` results from two days ago and one of today, each with its object. */
async function aStage() {
  const own = await testServices()
  onTestFinished(own.close)
  const { pool } = own.services
  const folder = await mkdtemp(join(tmpdir(), 'atelier-retention-'))
  const storage = diskStorage({ folder })
  onTestFinished(async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  })
  const real = Date.now()
  await own.clock.set(new Date(real))
  const team = await aTeamWithKey(own.services)
  const first = await aReady(team, 'results/first/1')
  await pool.query(
    `insert into generations (id, owner_id, source, state, family_id, output_type, axes, parameters, inputs, price, credits_charged, fence, attempt, result, created_at, finished_at)
       select 'gen_' || substr(id, 5, 10) || lpad(number::text, 16, '0'), owner_id, 'editor', state, family_id, output_type, axes, parameters, inputs, 0, 0, 0, 0,
           result || jsonb_build_object('storageKey', 'results/old-' || number || '/1'), created_at, finished_at
         from generations, generate_series(1, ${old - 1}) as number where id = $1`,
    [first],
  )
  await own.clock.set(new Date(real + 2 * dayMs))
  await aReady(team, 'results/young/1')
  const keys = (await pool.query<{ key: string }>(`select result->>'storageKey' as key from generations order by id`)).rows.map(
    ({ key }) => key,
  )
  for (const key of keys) await storage.put(key, Readable.from([Buffer.from('an image!')]))
  await setTeamRetention(aServiceContext(own.services), { teamId: team.team.id, mediaDays: 1 })
  return { ...own, storage, keys, storageUrl: pathToFileURL(folder).href }
}

test('a worker killed while it deletes results, and while it removes their objects, leaves nothing behind and removes nothing else', async () => {
  const { services, storage, keys, storageUrl, databaseUrl } = await aStage()
  const { pool } = services
  const count = async (sql: string): Promise<number> => (await pool.query(`select count(*)::integer as count from ${sql}`)).rows[0].count
  const deleted = () => count(`generations where result ? 'deletedAt'`)
  const objects = async () => (await Promise.all(keys.map((key) => storage.size(key)))).filter((size) => size !== undefined).length
  const aWorker = async () => {
    const worker = await aCommand('work', { DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl })
    await pool.query('update team_retention set served_at = null')
    await pool.query(`update routines set begun_at = null, holder = null where name = 'keepRetention'`)
    return worker
  }

  const first = await aWorker()
  await vi.waitFor(async () => expect(await deleted()).toBeGreaterThan(0), often)
  await first.kill()

  const second = await aWorker()
  await vi.waitFor(async () => expect(await objects()).toBeLessThan(old), often)
  await second.kill()

  await aWorker()
  await vi.waitFor(
    async () => expect(await count(`graphile_worker.jobs where task_identifier in ('removeObject', 'removeOrphans')`)).toBe(0),
    {
      ...often,
      interval: 100,
    },
  )
  await vi.waitFor(async () => expect(await deleted()).toBe(old), often)
  expect(await objects()).toBe(1)
  expect(await storage.size('results/young/1')).toBe(9)
  expect(await findLostObjects({ ...aServiceContext(services), storage })).toMatchObject({ lostCount: 0 })
  expect(await checkBooks(aServiceContext(services))).toMatchObject({ clean: true })
})
