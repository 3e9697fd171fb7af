import { afterAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { expireFiles } from '../../../src/domain/files/expireFiles.ts'
import { unusedFilesOf } from '../../../src/domain/files/unusedFiles.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { fileForm, mp4Of, traces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const png = await sampleFile('png')
const filesMax = 3
const bytesMax = 10_000_000
const app = await testApp({ worker: true, settings: { unusedFilesMax: { bytes: bytesMax, files: filesMax } } })
afterAll(app.close)
const { services } = app
const system = contextFor(services, { kind: 'system' })

let key: string
let teamId: string
beforeEach(async () => {
  const made = await aTeamWithKey(services)
  key = made.value
  teamId = made.team.id
})

const upload = (content = png) => app.ask('POST /files', { key, ...fileForm(content) })
const fill = async () => (await Promise.all(Array.from({ length: filesMax }, () => upload()))).map(({ body }) => String(body.fileId))
const start = (imageId: string | undefined, maxCredits?: number) =>
  app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'x', imageIds: [imageId], maxCredits } })

test('concurrent uploads never exceed the limit of unused files, and refused ones leave nothing behind', async () => {
  const before = await traces(services)

  const answers = await Promise.all(Array.from({ length: 8 }, () => upload()))

  const taken = answers.filter(({ status }) => status === 201)
  expect(taken).toHaveLength(filesMax)
  for (const { status, body } of answers.filter((answer) => !taken.includes(answer))) {
    expect({ status, ...body.error }).toMatchObject({ status: 409, code: 'file_quota_exceeded', retryable: false })
    expect(body.error.details).toEqual({ filesUsed: filesMax, filesMax, bytesUsed: png.length * filesMax, bytesMax })
  }
  const after = await traces(services)
  expect([after.rows - before.rows, after.objects - before.objects]).toEqual([filesMax, filesMax])
  expect(await unusedFilesOf(system, teamId)).toEqual({ files: filesMax, bytes: png.length * filesMax })
  expect((await app.ask('GET /account', { key })).body.files).toEqual({
    filesUsed: filesMax,
    filesMax,
    bytesUsed: png.length * filesMax,
    bytesMax,
  })
})

test('the limit of unused files also counts bytes', async () => {
  const half = await mp4Of(bytesMax / 2)
  expect((await upload(half)).status).toBe(201)
  expect((await upload(half)).status).toBe(201)

  const { status, body } = await upload()

  expect([status, body.error.details]).toEqual([409, { filesUsed: 2, filesMax, bytesUsed: bytesMax, bytesMax }])
})

test('each team has its own limit', async () => {
  await fill()
  const { value: other } = await aTeamWithKey(services)
  expect((await app.ask('POST /files', { key: other, ...fileForm(png) })).status).toBe(201)
})

test('a start that uses a file makes room for one more, a refused start does not', async () => {
  const [first] = await fill()
  expect((await start(first, 0)).status).toBe(402)
  expect((await upload()).status).toBe(409)

  expect((await start(first)).status).toBe(201)
  expect((await start(first)).status).toBe(201)

  expect((await upload()).status).toBe(201)
  expect((await upload()).status).toBe(409)
})

test('work that ends without a result returns its files to the quota; a result or other unfinished work does not', async () => {
  const context = (await aTeamWithKey(services)).context
  const [first] = await fill()
  const [one, other] = [await start(first), await start(first)]
  expect((await upload()).status).toBe(201)
  await endAtOnce(context, one.body.generationId, { to: 'cancelled', charged: false })
  const before = await unusedFilesOf(system, teamId)
  await endAtOnce(context, other.body.generationId, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
  expect((await unusedFilesOf(system, teamId)).files).toBe(before.files + 1)
  expect((await upload()).status).toBe(409)

  const paid = await start(first)
  const result = { storageKey: 'results/x', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 8, height: 8, durationSeconds: null }
  await endAtOnce(context, paid.body.generationId, { to: 'ready', result })
  await endAtOnce(context, (await start(first)).body.generationId, { to: 'cancelled', charged: false })
  expect((await unusedFilesOf(system, teamId)).files).toBe(before.files)
})

test('broken and expired files do not count', async () => {
  const broken = await upload((await mp4Of(5_000_000)).subarray(0, 4_500_000))
  await expect.poll(async () => (await app.ask(`GET /files/${broken.body.fileId}`, { key })).body.state, { timeout: 20_000 }).toBe('failed')
  expect(await unusedFilesOf(system, teamId)).toEqual({ files: 0, bytes: 0 })

  await fill()
  await app.clock.advance(32 * 24 * 60 * 60 * 1000)
  await expireFiles(system)
  expect(await unusedFilesOf(system, teamId)).toEqual({ files: 0, bytes: 0 })
  expect((await upload()).status).toBe(201)
})
