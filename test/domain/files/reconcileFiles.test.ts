import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { reconcileFiles } from '../../../src/domain/files/reconcileFiles.ts'
import { reconcile } from '../../../src/jobs/maintenance/reconcile.ts'
import { pagesRead } from '../../support/database/pagesRead.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const { pool } = services
const team = await aTeamWithKey(services)
const context = contextFor(services, { kind: 'system' })

/** Adds unmeasured files, a thousand per second, with jobs for all but the last `jobless` of them. */
async function addFiles(name: string, { count, jobless }: { count: number; jobless: number }): Promise<void> {
  await pool.query(
    `insert into files (id, owner_id, user_id, state, type, mime_type, size_bytes, storage_key, sha256, created_at, expires_at)
       select 'file_' || $1 || number, $2, $3, 'processing', 'video', 'video/mp4', 1, 'files/' || $1 || number, '00',
           present() + number / 1000 * interval '1 second', present() + interval '30 days' from generate_series(1, $4::integer) as number`,
    [name, team.team.id, team.user.id, count],
  )
  await pool.query(
    `select graphile_worker.add_jobs(array(
       select ('inspectFile', json_build_object('fileId', 'file_' || $1 || number), null, null, 9, 'file:file_' || $1 || number, null, null)::graphile_worker.job_spec
         from generate_series(1, $2::integer) as number))`,
    [name, count - jobless],
  )
}

/** Counts the file pages that each statement reads. `most` returns the highest count. */
function measuring(inside: Context): { context: Context; most(): number } {
  let most = 0
  const sql: Context['sql'] = {
    ...inside.sql,
    async all(asked, values) {
      let rows: Awaited<ReturnType<typeof inside.sql.all>> = []
      const asOther = { table: 'files', planMode: 'force_generic_plan' } as const
      const read = await pagesRead(inside, asOther, async (measured) => {
        rows = await measured.sql.all(asked, values)
      })
      most = Math.max(most, read)
      return rows as never
    },
  }
  return { context: { ...inside, sql }, most: () => most }
}

test('with many waiting files each statement reads one page, and files without a job get one', async () => {
  await addFiles('many', { count: 20_000, jobless: 3 })
  for (let number = 19_998; number <= 20_000; number += 1) await services.storage.put(`files/many${number}`, Readable.from(['content']))
  await pool.query('analyze files')
  await clock.advance(16 * 60_000)
  const measured = measuring(context)
  expect(await reconcileFiles(measured.context)).toEqual({ removed: 0, requeued: 3, failed: 0 })
  expect(measured.most()).toBeLessThan(300)
  expect(await reconcileFiles(context)).toEqual({ removed: 0, requeued: 0, failed: 0 })
})

test('a file that the storage gives no answer about does not block others, and fails after a day', async () => {
  await addFiles('odd', { count: 3, jobless: 3 })
  await clock.advance(16 * 60_000)
  const { storage } = services
  const size = (key: string) => (key === 'files/odd1' ? Promise.reject(new Error('not this one')) : storage.size(key))
  const broken = { ...context, storage: { ...storage, size } }
  expect(await reconcileFiles(broken)).toEqual({ removed: 2, requeued: 0, failed: 0 })
  await pool.query(`delete from files where id like 'file_many%'`)
  await clock.advance(25 * 3_600_000)
  expect(await reconcileFiles(broken)).toEqual({ removed: 0, requeued: 0, failed: 1 })
})

test('files are repaired even when the repair of generations fails', async () => {
  await addFiles('beside', { count: 1, jobless: 1 })
  await clock.advance(16 * 60_000)
  await pool.query('alter table waiting_submits rename to waiting_submits_away')
  await expect(reconcile(aJobContext(services))).rejects.toThrow('waiting_submits')
  await pool.query('alter table waiting_submits_away rename to waiting_submits')
  expect((await pool.query(`select id from files where id = 'file_beside1'`)).rows).toEqual([])
})
