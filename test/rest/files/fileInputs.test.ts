import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { findInputs } from '../../../src/domain/files/findInputs.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { fileForm, mp4Of } from '../../support/http/uploads.ts'
import { sampleFile, type sampleKinds } from '../../support/media/sampleFile.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const own = await aTeamWithKey(app.services)
const other = await aTeamWithKey(app.services)

async function upload(kind: (typeof sampleKinds)[number], key = own.value): Promise<string> {
  const { fileId } = (await app.ask('POST /files', { key, ...fileForm(await sampleFile(kind)) })).body
  // On a busy machine the inspection may end after the answer.
  await vi.waitFor(async () => expect((await app.ask(`GET /files/${fileId}`, { key })).body.state).toBe('ready'))
  return fileId
}

async function estimate(body: object) {
  const answered = await app.ask('POST /generations/estimate', { key: own.value, body })
  return { status: answered.status, headers: answered.headers, ...answered.body }
}

const collage = (ids: string[]) => ({
  familyId: 'sandbox-image',
  prompt: 'a collage',
  imageIds: ids,
  parameters: { width: 64, height: 64 },
})

test('inputs reach the model in the order of the request, repeats included', async () => {
  const [first, second, third] = [await upload('png'), await upload('jpeg'), await upload('webp')] as [string, string, string]
  const order = [third, first, second, first]

  const started = await app.ask('POST /generations', { key: own.value, body: collage(order) })

  expect(started.body.inputs.imageIds).toEqual(order)
  const found = await findInputs(
    own.context,
    own.team.id,
    order.map((id) => ({ id, field: 'imageIds' as const })),
  )
  expect(found.map(({ mimeType }) => mimeType)).toEqual(['image/webp', 'image/png', 'image/jpeg', 'image/png'])
  const ended = await app.ask(`GET /generations/${started.body.generationId}?wait=30`, { key: own.value })
  expect(ended.body.state).toBe('ready')
})

test('inputs that are unknown, of another team or of another type have the same refusal', async () => {
  const mine = await upload('png')
  const ids = [
    await upload('png', other.value),
    await upload('wav'),
    'file_01kabc5m1dexampleexample00',
    'nonsense',
    'gen_01kabc5m1dexampleexample00',
  ]

  for (const id of ids) {
    const { status, error } = await estimate(collage([mine, id]))
    expect({ status, error }).toMatchObject({
      status: 404,
      error: { code: 'file_not_found', retryable: false, details: { ids: [id], field: 'imageIds' } },
    })
  }
  expect((await app.ask(`GET /files/${ids[0]}`, { key: own.value })).body.error).toMatchObject({
    code: 'file_not_found',
    details: { ids: [ids[0]], field: null },
  })
})

test.each([
  'nonsense',
  'file_',
  'file_01kabc5m1dexampleexample00',
  'gen_01kabc5m1dexampleexample00',
  '%00',
  '%F0%9F%98%80',
  'x'.repeat(5000),
])('a file with the identifier %.40s is not found', async (id) => {
  const { status, body } = await app.ask(`GET /files/${id}`, { key: own.value })
  expect([status, body.error.code]).toEqual([404, 'file_not_found'])
})

test('a processing video is refused as an input with Retry-After', async () => {
  // Nobody works here, so that it stays as it is.
  const idle = await testApp()
  onTestFinished(idle.close)
  const { value: key } = await aTeamWithKey(idle.services)
  const { body } = await idle.ask('POST /files', { key, ...fileForm(await mp4Of(5_000_000)) })
  const early = await idle.ask('POST /generations/estimate', { key, body: { familyId: 'sandbox-video', videoId: body.fileId } })
  expect(early.status).toBe(409)
  expect(early.body.error).toMatchObject({ code: 'file_not_ready', retryable: true, details: { fileIds: [body.fileId] } })
  expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
})

test('a video that was processing is ready a moment later, and priced by its measured length', async () => {
  const { body } = await app.ask('POST /files', { key: own.value, ...fileForm(await mp4Of(5_000_000)) })
  await expect
    .poll(async () => (await app.ask(`GET /files/${body.fileId}`, { key: own.value })).body.state, { timeout: 20_000 })
    .toBe('ready')
  const later = await estimate({ familyId: 'sandbox-video', videoId: body.fileId })
  expect([later.status, later.variant.task]).toEqual([200, 'video-to-video'])
  expect(later.breakdown[0]).toMatchObject({ unit: 'input_second', quantity: expect.closeTo(1, 1) })
})

test.each([
  ['that breaks off', (content: Buffer) => content.subarray(0, 5_000_000), 'truncated'],
  ['that is no video', (content: Buffer) => Buffer.from(content).fill(0, 100), 'no_tracks|corrupt|truncated'],
])('a file %s, found after it was accepted, is refused as an input with its cause', async (_name, broken, cause) => {
  const { body } = await app.ask('POST /files', { key: own.value, ...fileForm(broken(await mp4Of(6_000_000))) })
  expect(body.state).toBe('processing')
  await expect
    .poll(async () => (await app.ask(`GET /files/${body.fileId}`, { key: own.value })).body.state, { timeout: 20_000 })
    .toBe('failed')

  const refused = await estimate({ familyId: 'sandbox-video', videoId: body.fileId })

  const details = { fileId: body.fileId, cause: expect.stringMatching(new RegExp(`^(${cause})$`)) }
  expect(refused).toMatchObject({ status: 422, error: { code: 'file_processing_failed', retryable: false, details } })
})

test('a ready generation is an input for the fields in reusableAs', async () => {
  const started = await app.ask('POST /generations', {
    key: own.value,
    body: { familyId: 'sandbox-image', prompt: 'a sky', parameters: { width: 64, height: 64 } },
  })
  const id = started.body.generationId
  const made = (await app.ask(`GET /generations/${id}?wait=30`, { key: own.value })).body

  expect(made.reusableAs).toEqual(['imageIds'])
  expect((await estimate(collage([id]))).status).toBe(200)
  expect(await estimate({ familyId: 'sandbox-video', videoId: id })).toMatchObject({ status: 404, error: { code: 'file_not_found' } })
  const next = await app.ask('POST /generations', { key: own.value, body: collage([id, await upload('png')]) })
  expect((await app.ask(`GET /generations/${next.body.generationId}?wait=30`, { key: own.value })).body).toMatchObject({ state: 'ready' })
})

test('an open or cancelled generation is refused as an input', async () => {
  // Nobody works here, so that it stays unfinished.
  const idle = await testApp()
  try {
    const { value: key } = await aTeamWithKey(idle.services)
    const started = await idle.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a sky' } })
    const body = collage([started.body.generationId])

    const early = await idle.ask('POST /generations/estimate', { key, body })
    await idle.ask(`POST /generations/${started.body.generationId}/cancel`, { key })
    const late = await idle.ask('POST /generations/estimate', { key, body })

    expect(early.body.error).toMatchObject({ code: 'file_not_ready', retryable: true, details: { fileIds: body.imageIds } })
    expect(late.body.error).toMatchObject({ code: 'file_not_found', retryable: false, details: { ids: body.imageIds } })
  } finally {
    await idle.close()
  }
})
