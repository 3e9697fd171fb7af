import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { reconcileFiles } from '../../../src/domain/files/reconcileFiles.ts'
import { statement } from '../../../src/domain/sql.ts'
import { inspectFile } from '../../../src/jobs/steps/inspectFile.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aJobContext } from '../../support/generations/jobContext.ts'
import { fileForm, mp4Of } from '../../support/http/uploads.ts'
import { isoBox } from '../../support/media/isoBox.ts'
import { sampleFile, sampleHeight, sampleSeconds, sampleWidth } from '../../support/media/sampleFile.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const { value: key } = await aTeamWithKey(services)
const context = contextFor(services, { kind: 'system' })
const heavyBytes = 5_000_000
const minutes = 60_000
const hours = 60 * minutes

/** `seconds`: from the moment at which the job was queued. */
const waiting = statement<{ key: string; seconds: number }>(
  'test_waiting_inspections',
  `select key, extract(epoch from run_at - updated_at)::integer as seconds from graphile_worker.jobs where task_identifier = 'inspectFile' and locked_at is null`,
)
const removeJobs = statement<never>('test_remove_jobs', 'delete from graphile_worker._private_jobs')

async function upload(content: Buffer): Promise<string> {
  await context.sql.all(removeJobs, [])
  const { status, body } = await app.ask('POST /files', { key, ...fileForm(content) })
  expect([status, body.state]).toEqual([201, 'processing'])
  return body.fileId
}

const jobs = (shutdown?: AbortSignal) => aJobContext(services, { ...(shutdown ? { shutdown } : {}) })
const readFile = async (id: string) => (await app.ask(`GET /files/${id}`, { key })).body

test('an upload of a large video is answered at once with its likely type, and its job measures it', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  const before = await readFile(id)
  const [job] = await context.sql.all(waiting, [])

  await inspectFile(jobs(), { fileId: id })

  expect(before).toMatchObject({
    state: 'processing',
    type: 'video',
    mimeType: 'video/mp4',
    width: null,
    pollAfterSeconds: 2,
    usableIn: ['videoId', 'videoIds'],
  })
  expect(job?.key).toBe(`file:${id}`)
  const after = await readFile(id)
  expect(after).toMatchObject({
    state: 'ready',
    width: sampleWidth,
    height: sampleHeight,
    durationSeconds: expect.closeTo(sampleSeconds, 0),
  })
  expect(after.pollAfterSeconds).toBeUndefined()
})

test('a video file with only a sound track becomes audio', async () => {
  const sound = await sampleFile('m4a')
  // The brand does not determine the kinds of the tracks.
  const plain = Buffer.from(sound)
  plain.write('isom', 8, 'latin1')
  const id = await upload(Buffer.concat([plain, isoBox('free', Buffer.alloc(heavyBytes))]))

  await inspectFile(jobs(), { fileId: id })

  expect(await readFile(id)).toMatchObject({ state: 'ready', type: 'audio', mimeType: 'audio/mp4', usableIn: ['audioIds'] })
})

test('an unusable video fails with a refusal, is not served, and its content is removed', async () => {
  const start = (await sampleFile('mp4')).subarray(0, 32)
  const id = await upload(Buffer.concat([start, isoBox('free', Buffer.alloc(heavyBytes))]))

  await inspectFile(jobs(), { fileId: id })

  const failed = await readFile(id)
  expect(failed).toMatchObject({
    state: 'failed',
    usableIn: [],
    error: { code: 'file_processing_failed', retryable: false, details: { fileId: id, cause: expect.any(String) } },
  })
  expect(await services.storage.size(`files/${id}`)).toBeUndefined()
  expect((await app.ask('POST /generations/estimate', { key, body: { familyId: 'sandbox-video', videoId: id } })).body.error.code).toBe(
    'file_processing_failed',
  )
})

test('a second run of the job changes nothing', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  await inspectFile(jobs(), { fileId: id })
  const first = await readFile(id)
  await services.storage.remove(`files/${id}`)

  await inspectFile(jobs(), { fileId: id })

  expect(await readFile(id)).toEqual(first)
})

test('a file that cannot be inspected now is inspected later', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  const { inspector } = services
  services.inspector = { ...inspector, inspect: () => Promise.reject(new Refusal('service_unavailable')) }
  await context.sql.all(removeJobs, [])
  await inspectFile(jobs(), { fileId: id })
  services.inspector = inspector

  expect(await readFile(id)).toMatchObject({ state: 'processing' })
  expect(await context.sql.all(waiting, [])).toEqual([{ key: `file:${id}`, seconds: 5 }])
})

test('a shutdown requeues the file at once', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  await context.sql.all(removeJobs, [])

  await inspectFile(jobs(AbortSignal.abort()), { fileId: id })

  expect(await context.sql.all(waiting, [])).toEqual([{ key: `file:${id}`, seconds: 0 }])
})

test('an upload that ended before its content was stored leaves nothing; one that ended later is inspected', async () => {
  const abandoned = await upload(await mp4Of(heavyBytes))
  await services.storage.remove(`files/${abandoned}`)
  const lost = await upload(await mp4Of(heavyBytes))
  await context.sql.all(removeJobs, [])

  expect(await reconcileFiles(context)).toEqual({ removed: 0, requeued: 0, failed: 0 })
  await clock.advance(16 * minutes)
  const done = await reconcileFiles(context)

  expect(done).toMatchObject({ removed: 1, failed: 0 })
  expect((await readFile(abandoned)).error.code).toBe('file_not_found')
  expect((await context.sql.all(waiting, [])).map((job) => job.key)).toContain(`file:${lost}`)
})

test('a file with a running job is left to that job', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  await clock.advance(16 * minutes)
  const before = await context.sql.all(waiting, [])

  await reconcileFiles(context)

  expect(before).toContainEqual({ key: `file:${id}`, seconds: 0 })
})

test('a file that could not be inspected for a day fails', async () => {
  const id = await upload(await mp4Of(heavyBytes))
  await clock.advance(25 * hours)

  await reconcileFiles(context)

  expect(await readFile(id)).toMatchObject({ state: 'failed', error: { code: 'internal_error', retryable: true } })
})

test('a file that is deleted during its inspection stays deleted and is not inspected again', async () => {
  const [before, during] = [await upload(await mp4Of(heavyBytes)), await upload(await mp4Of(heavyBytes))]
  await app.ask(`DELETE /files/${before}`, { key })
  const jobContext = jobs()
  const inspect: typeof services.inspector.inspect = async (...asked) => {
    const found = await services.inspector.inspect(...asked)
    await app.ask(`DELETE /files/${during}`, { key })
    return found
  }
  await context.sql.all(removeJobs, [])

  for (const fileId of [before, during]) await inspectFile({ ...jobContext, inspector: { ...services.inspector, inspect } }, { fileId })

  for (const id of [before, during]) expect((await readFile(id)).error.code).toBe('file_not_found')
  expect(await context.sql.all(waiting, [])).toEqual([])
  expect(await reconcileFiles(context)).toEqual({ removed: 0, requeued: 0, failed: 0 })
})
