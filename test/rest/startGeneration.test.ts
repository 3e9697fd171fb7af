import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const moves = generationTransitions(app.services)
const { value: key } = await aTeamWithKey(app.services)
const stranger = await aTeamWithKey(app.services)
const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

const start = (body: unknown, as = key) => app.ask('POST /generations', { key: as, body })

test('a start returns the queued generation with its hold', async () => {
  const answer = await start({ ...work, axes: { version: 'standard' }, parameters: { width: 256 }, maxCredits: 2 })
  expect(answer.status).toBe(201)
  expect(answer.headers['location']).toBe(`/api/v1/generations/${answer.body.generationId}`)
  expect(answer.body).toEqual({
    generationId: expect.stringMatching(/^gen_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    state: 'queued',
    familyId: 'sandbox-image',
    modelId: 'sandbox-image.text-to-image.standard',
    task: 'text-to-image',
    outputType: 'image',
    axes: { version: 'standard' },
    prompt: 'a lighthouse',
    parameters: { width: 256, height: 512, outputFormat: 'png', outcome: 'success', runSeconds: 0 },
    inputs: { imageIds: [], videoIds: [], audioIds: [], model3dIds: [] },
    reference: null,
    metadata: {},
    source: 'rest',
    creditsHeld: 2,
    creditsCharged: null,
    createdAt: '2026-03-10T12:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    progress: null,
    queuePosition: null,
    pollAfterSeconds: 1,
    replayed: false,
  })
  const read = await app.ask(`GET /generations/${answer.body.generationId}`, { key })
  expect({ ...read.body, replayed: false }).toEqual(answer.body)
})

test('a ready generation has its result and can be an input', async () => {
  const { body } = await start(work)
  const id = body.generationId
  expect(await start({ ...work, imageIds: [id] })).toMatchObject({
    status: 409,
    headers: { 'retry-after': '3' },
    body: { error: { code: 'file_not_ready', retryable: true, details: { fileIds: [id], retryAfterSeconds: 3 } } },
  })
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  expect((await app.ask(`GET /generations/${id}`, { key })).body).toMatchObject({
    state: 'ready',
    creditsHeld: 0,
    creditsCharged: 1,
    finishedAt: '2026-03-10T12:00:00.000Z',
    result: {
      type: 'image',
      url: expect.stringContaining('/r/'),
      mimeType: 'image/png',
      sizeBytes: 5,
      width: 2,
      height: 2,
      durationSeconds: null,
    },
    reusableAs: ['imageIds'],
  })
  expect((await start({ ...work, imageIds: [id, id] })).body).toMatchObject({ task: 'image-to-image', inputs: { imageIds: [id, id] } })
  expect(await start({ ...work, imageIds: [id] }, stranger.value)).toMatchObject({
    status: 404,
    body: { error: { code: 'file_not_found' } },
  })
  expect(await start({ familyId: 'sandbox-video', prompt: 'x', videoId: id })).toMatchObject({
    status: 404,
    body: { error: { code: 'file_not_found', details: { ids: [id], field: 'videoId' } } },
  })
})

test('a failed or cancelled generation is refused as an input', async () => {
  const [failed, cancelled] = [(await start(work)).body.generationId, (await start(work)).body.generationId]
  await moves.fail(failed)
  await app.ask(`POST /generations/${cancelled}/cancel`, { key })
  for (const id of [failed, cancelled]) {
    expect(await start({ ...work, imageIds: [id] })).toMatchObject({
      status: 404,
      body: { error: { code: 'file_not_found', details: { ids: [id], field: 'imageIds' } } },
    })
  }
})

test('the refusal of unsupported inputs has the available variants', async () => {
  const { status, body } = await start({ ...work, axes: { version: 'pro' }, imageIds: ['file_a', 'file_b'] })
  expect([status, body.error.code, body.error.retryable]).toEqual([400, 'variant_not_resolved', false])
  expect(body.error.details).toMatchObject({ missingInputs: [], excessInputs: ['imageIds'], maxMediaInputs: 20 })
  const available = body.error.details['available'] as { modelId: string; task: string; axes: object; inputs: object }[]
  expect(available.map(({ modelId, task, axes }) => ({ modelId, task, axes }))).toEqual([
    { modelId: 'sandbox-image.image-to-image.draft', task: 'image-to-image', axes: { version: 'draft' } },
    { modelId: 'sandbox-image.image-to-image.standard', task: 'image-to-image', axes: { version: 'standard' } },
  ])
})
