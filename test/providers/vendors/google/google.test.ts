import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/json.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { googleErrors } from '../../../support/vendors/googleErrors.ts'
import { anInput, bytesOf } from '../../../support/vendors/vendorJobs.ts'
import { aGoogle, firstRequestBody, handleOf, workFor, workFrom } from './googleLab.ts'

test('an image is staged while it streams, and its cost is that of its tokens', async () => {
  const { fake, provider, context, kept } = await aGoogle()

  const submitted = await provider.submit(await workFor('image', { parameters: { aspectRatio: '16:9', imageSize: '2K' } }), context)

  expect(submitted).toMatchObject({
    kind: 'done',
    outputs: [{ kept: true, mimeType: 'image/png' }],
    cost: { quantity: 2100, unit: 'token' },
  })
  // (300 × 1.5 + 1,680 image tokens × 30 + 20 text and 100 thought tokens × 7.5) per million.
  expect(submitted.kind === 'done' && submitted.cost?.usd).toBeCloseTo(0.05175, 10)
  expect(kept[0]?.bytes).toEqual(await sampleFile('png'))
  expect(firstRequestBody(fake)).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'a quiet harbour' }] }],
    generationConfig: { imageConfig: { aspectRatio: '16:9', imageSize: '2K' }, responseModalities: ['IMAGE'] },
  })
})

test("the caller's images are in the request, in order, after the prompt", async () => {
  const { fake, provider, context } = await aGoogle()
  const data = (await sampleFile('png')).toString('base64')

  await provider.submit(await workFrom('image', 2), context)

  const inline = { inlineData: { mimeType: 'image/png', data } }
  expect(firstRequestBody(fake)['contents']).toEqual([{ role: 'user', parts: [{ text: 'a quiet harbour' }, inline, inline] }])
})

test('of several files the first real image is staged, not one with only an image type', async () => {
  const { fake, provider, context, kept } = await aGoogle()

  fake.behave({ kind: 'several' })
  expect(await provider.submit(await workFor('image'), context)).toMatchObject({ kind: 'done' })
  fake.behave({ kind: 'wrong_media' })
  expect(await provider.submit(await workFor('image'), context)).toMatchObject({ failure: { reason: 'provider_failed' } })

  expect(kept.map(({ bytes }) => bytes)).toEqual([await sampleFile('png')])
})

test.each([
  [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'content_policy/prompt_rejected'],
  [{ promptFeedback: { blockReason: 'IMAGE_SAFETY' } }, 'content_policy/input_rejected'],
  [{ candidates: [{ finishReason: 'IMAGE_SAFETY' }] }, 'content_policy/output_rejected'],
  [{ candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] }, 'content_policy/output_rejected'],
  [{ candidates: [{ finishReason: 'IMAGE_RECITATION' }] }, 'content_policy/output_rejected'],
  [{ candidates: [{ content: { parts: [{ text: 'Which boat?' }] }, finishReason: 'STOP' }] }, 'prompt_validation/prompt_failed'],
  [{ candidates: [{ finishReason: 'NO_IMAGE' }] }, 'prompt_validation/prompt_failed'],
  [{ candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'provider_error/provider_failed'],
  [{}, 'provider_error/provider_failed'],
])('an answer %j instead of an image is %s', async (says: Json, reason) => {
  const { fake, provider, context } = await aGoogle()
  fake.says = says

  const submitted = await provider.submit(await workFrom('image'), context)

  expect(submitted.kind === 'failed' && `${submitted.failure.code}/${submitted.failure.reason}`).toBe(reason)
})

test.each(Object.keys(googleErrors))('the error of Google for %s maps to that failure, at the submit and at the end', async (failure) => {
  for (const api of ['omni', 'veo'] as const) {
    const { fake, provider, context, warnings } = await aGoogle()
    fake.behave({ kind: 'fails', failure })
    const spec = await workFrom(api)

    const submitted = await provider.submit(spec, context)
    const told = submitted.kind === 'job' ? await provider.poll(submitted.handle, spec, context) : submitted

    expect('failure' in told && `${told.failure.code}/${told.failure.reason}`).toBe(failure)
    expect(JSON.stringify([told, warnings])).not.toContain('a quiet harbour')
  }
})

test.each(['image', 'omni', 'veo'] as const)('a 429 waits for the time that Google gives: %s', async (api) => {
  const { fake, provider, context } = await aGoogle()

  fake.behave({ kind: 'busy', status: 429, times: 1, retryAfterSeconds: 34 })

  expect(await provider.submit(await workFor(api), context)).toEqual({ kind: 'busy', retryAfterMs: 34_000 })
  expect(fake.accepted).toEqual([])
})

test('an invalid key fails at once, and health names its variable, not its value', async () => {
  const right = await aGoogle()
  const wrong = await aGoogle({ key: 'AIza-somebody-else' })

  expect(await right.provider.health?.(right.context)).toEqual({ ok: true })
  expect(await wrong.provider.health?.(wrong.context)).toEqual({ ok: false, message: 'rejects GEMINI_API_KEY' })
  expect(await wrong.provider.submit(await workFor('image'), wrong.context)).toMatchObject({ failure: { code: 'authentication' } })
  expect(JSON.stringify(wrong.warnings)).not.toContain('AIza')
})

test('inputs too large for a request are refused with the limit, and nothing is sent', async () => {
  const { fake, provider, context } = await aGoogle()
  const inputs = Array.from({ length: 11 }, () => anInput(Buffer.alloc(1), { sizeBytes: 7 * 1024 * 1024 }))

  const submitted = await provider.submit(await workFor('image', { inputs, limits: (await workFrom('image')).limits }), context)

  expect(submitted).toMatchObject({ failure: { reason: 'file_too_large', details: { maxBytes: 73_400_320, actualBytes: 80_740_352 } } })
  expect(fake.accepted).toEqual([])
})

test('an Omni video runs in the background and is in the answer, beside repeated inputs', async () => {
  const { fake, provider, context, kept } = await aGoogle()
  fake.behave({ kind: 'slow', looks: 1 })
  const spec = { ...(await workFrom('omni')), parameters: { durationSeconds: 4, resolution: '1080p' } }

  const handle = handleOf(await provider.submit(spec, context))
  const looks = [await provider.poll(handle, spec, context), await provider.poll(handle, spec, context)]

  expect(firstRequestBody(fake)).toMatchObject({
    model: 'gemini-omni-1.1-flash',
    background: true,
    store: true,
    input: [
      { type: 'image', mime_type: 'image/png' },
      { type: 'text', text: 'a quiet harbour' },
    ],
    response_format: { type: 'video', duration: '4s', resolution: '1080p' },
    generation_config: { video_config: { task: 'image_to_video' } },
  })
  expect(looks[0]).toMatchObject({ state: 'running' })
  expect(looks[1]).toMatchObject({ state: 'succeeded', outputs: [{ kept: true, mimeType: 'video/mp4' }] })
  expect(kept.map(({ bytes }) => bytes)).toEqual([await sampleFile('mp4')])
})

test('a cancel stops an interaction, but not an operation, which cannot be cancelled', async () => {
  const { fake, provider, context } = await aGoogle()
  fake.behave({ kind: 'slow', looks: 9 })
  const [omni, veo] = [await workFor('omni'), await workFor('veo')]
  const handle = handleOf(await provider.submit(omni, context))

  expect(await provider.cancel(handle, context)).toBe('cancelled')
  expect(await provider.poll(handle, omni, context)).toEqual({ state: 'cancelled' })
  expect(await provider.cancel(handleOf(await provider.submit(veo, context)), context)).toBe('unsupported')
})

test('a Veo video is downloaded from the URL of its operation, with the key only at the origin of Google', async () => {
  const { fake, provider, context } = await aGoogle()
  const spec = await workFrom('veo', 2)

  const handle = handleOf(await provider.submit(spec, context))
  const poll = await provider.poll(handle, spec, context)
  const [output] = poll.state === 'succeeded' ? poll.outputs : []

  expect(fake.accepted[0]?.body).toMatchObject({
    instances: [{ prompt: 'a quiet harbour', image: { mimeType: 'image/png' }, lastFrame: {} }],
  })
  expect(output && (await bytesOf(await provider.collect(output, spec, context)))).toEqual(await sampleFile('mp4'))
})

test('a file at Google is downloaded through the configured gateway', async () => {
  const { provider, context } = await aGoogle()
  const output = { data: { uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc-1:download?alt=media' } }

  expect(await bytesOf(await provider.collect(output, await workFor('veo'), context))).toEqual(await sampleFile('mp4'))
})
