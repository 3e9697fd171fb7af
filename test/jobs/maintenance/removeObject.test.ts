import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { removeObject } from '../../../src/jobs/maintenance/removeObject.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { onePixel } from '../../support/http/everyEndpoint.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const { value: key } = await aTeamWithKey(services)
const moves = generationTransitions(services)
const unavailable = () => Promise.reject(new Error('the storage is unavailable'))

/** The waiting removal jobs and the seconds until they run. */
async function waiting(): Promise<{ storageKey: string; tries?: number; seconds: number }[]> {
  const { rows } = await services.pool.query(
    `select payload, extract(epoch from run_at - now())::integer as seconds from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'removeObject' order by j.id`,
  )
  await services.pool.query('delete from graphile_worker._private_jobs')
  return rows.map(({ payload, seconds }) => ({ ...payload, seconds }))
}

const upload = async (): Promise<string> => (await app.ask('POST /files', { key, body: { base64: onePixel } })).body.fileId

test('content is removed after its row; with an unavailable storage, the queue retries soon and maintenance later', async () => {
  const id = await upload()
  await app.ask(`DELETE /files/${id}`, { key })
  const storageKey = `files/${id}`
  expect(await waiting()).toEqual([{ storageKey, seconds: 0 }])
  expect(await services.storage.size(storageKey)).toBeGreaterThan(0)

  const broken = { ...services, storage: { ...services.storage, remove: unavailable } }
  const pauses: number[] = []
  for (let tries = 0; tries < 4; tries++) {
    await removeObject(aJobContext(broken), { storageKey, tries })
    const [again] = await waiting()
    expect(again).toMatchObject({ storageKey, tries: tries + 1 })
    pauses.push(Math.ceil((again?.seconds ?? 0) / 5) * 5)
  }
  expect(pauses).toEqual([5, 10, 20, 40])
  await removeObject(aJobContext(broken), { storageKey, tries: 4 })
  expect(await waiting()).toEqual([])
  expect((await services.pool.query('select storage_key, tries from stuck_removals')).rows).toEqual([{ storage_key: storageKey, tries: 0 }])

  await removeObject(aJobContext(services), { storageKey })
  await removeObject(aJobContext(services), { storageKey })
  expect([await services.storage.size(storageKey), await waiting()]).toEqual([undefined, []])
})

test('objects deleted while no worker ran are removed by the next worker: results and staged outputs', async () => {
  const file = await upload()
  const asked = { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } }
  const id = (await app.ask('POST /generations', asked)).body.generationId
  await moves.begin(id)
  await moves.gather(id)
  await services.storage.put(`made/${id}/1`, Readable.from(['as the vendor sent it']))
  await moves.finish(id, Buffer.from('bytes'))
  const { rows } = await services.pool.query(`select result->>'storageKey' as key from generations where id = $1`, [id])
  await app.ask(`DELETE /files/${file}`, { key })
  await app.ask(`DELETE /generations/${id}/result`, { key })

  const options = { pool: services.pool, databaseUrl: app.databaseUrl, processId: 'proc_removals', concurrency: 4, onPool: () => undefined }
  const shutdown = new AbortController()
  const worker = await startWorker({ services, providers: makeRegistry([]), shutdown: shutdown.signal }, options)
  onTestFinished(() => worker.stop())
  const sizes = () => Promise.all([`files/${file}`, rows[0].key, `made/${id}/1`].map((each) => services.storage.size(each)))
  await vi.waitFor(async () => expect(await sizes()).toEqual([undefined, undefined, undefined]), { timeout: 10_000, interval: 20 })
})
