import { expect, test } from 'vitest'
import { failureNames, parseFailure } from '../../../src/contract/failures/failures.ts'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { undeclaredLimits } from '../../../src/providers/sandbox/modelLimits.ts'
import { makeSandboxProvider } from '../../../src/providers/sandbox/sandboxProvider.ts'
import { context, input, job, noon } from './sandboxJobs.ts'

const sandbox = makeSandboxProvider()

function later(seconds: number): Date {
  return new Date(noon.getTime() + seconds * 1000)
}

async function failureOf(spec: JobSpec) {
  const submitted = await sandbox.submit(spec, context())
  return submitted.kind === 'failed' ? submitted.failure : submitted.kind
}

test('work without a run time is done at once and needs no poll', async () => {
  expect(await sandbox.submit(job(), context())).toEqual({ kind: 'done', outputs: [{ data: { index: 0 }, mimeType: 'image/png' }] })
})

test('work with a run time reports progress and a poll time until it is ready, and then succeeds', async () => {
  const spec = job({ parameters: { runSeconds: 7 } })
  const submitted = await sandbox.submit(spec, context())
  if (submitted.kind !== 'job') throw new Error('expected a handle')
  expect(submitted).toEqual({
    kind: 'job',
    pollAfterMs: 1000,
    handle: { provider: 'sandbox', v: 1, data: { readyAt: '2026-11-20T12:00:07.000Z' } },
  })
  expect(await sandbox.poll(submitted.handle, spec, context({ now: later(5) }))).toEqual({
    state: 'running',
    progress: expect.closeTo(5 / 7),
    pollAfterMs: 1000,
  })
  expect(await sandbox.poll(submitted.handle, spec, context({ now: later(6.999) }))).toMatchObject({ state: 'running', pollAfterMs: 1 })
  expect(await sandbox.poll(submitted.handle, spec, context({ now: later(7) }))).toMatchObject({ state: 'succeeded' })
})

test('a handle can be stored as JSON, and a repeated submit returns the same one', async () => {
  const spec = job({ parameters: { runSeconds: 1 } })
  const first = await sandbox.submit(spec, context())
  const second = await sandbox.submit(spec, context())
  expect(second).toEqual(JSON.parse(JSON.stringify(first)))
})

test.each(failureNames())('%s can be requested, at once and after a run time', async (outcome) => {
  const wanted = parseFailure(outcome)
  expect(await failureOf(job({ parameters: { outcome } }))).toMatchObject({ ...wanted })

  const spec = job({ parameters: { outcome, runSeconds: 3 } })
  const submitted = await sandbox.submit(spec, context())
  if (submitted.kind !== 'job') throw new Error('expected a handle')
  expect(await sandbox.poll(submitted.handle, spec, context({ now: later(3) }))).toMatchObject({ state: 'failed', failure: wanted })
})

test('requested failures have plausible details where the contract names them', async () => {
  const limits = { ...undeclaredLimits, prompt: { maxLength: 100 }, images: { mimeTypes: [], maxBytes: 5000 } }
  const details = async (outcome: string) => {
    const failure = await failureOf(job({ limits, prompt: 'four', parameters: { outcome } }))
    return typeof failure === 'object' ? failure.details : undefined
  }
  expect(await details('prompt_validation/prompt_too_long')).toEqual({ maxLength: 100, actualLength: 104 })
  expect(await details('file_size/file_too_large')).toEqual({ maxBytes: 5000, actualBytes: 10_000 })
  expect(await details('file_size/file_too_small')).toEqual({ minBytes: 1024, maxBytes: 5000, actualBytes: 512 })
  expect(await details('timeout/model_timeout')).toBeUndefined()
})

test.each([
  ['a run time below 0', { runSeconds: -1 }],
  ['a run time that is not a number', { runSeconds: '5' }],
  ['an unknown outcome', { outcome: 'content_policy/nonsense' }],
  ['an outcome that is not a text', { outcome: { toString: 'success' } }],
  ['an outcome named after a built-in property', { outcome: '__proto__/constructor' }],
  ['sizes that are not numbers', { width: 'wide', height: null, outputFormat: 'exe' }],
])('%s counts as the default', async (_, parameters) => {
  expect(await sandbox.submit(job({ parameters }), context())).toMatchObject({ kind: 'done', outputs: [{ mimeType: 'image/png' }] })
})

test('a run time above 120 seconds counts as 120', async () => {
  const submitted = await sandbox.submit(job({ parameters: { runSeconds: 9999 } }), context())
  expect(submitted).toMatchObject({ handle: { data: { readyAt: later(120).toISOString() } } })
})

test('a prompt over the limit fails with both lengths, counted in code points', async () => {
  const limits = { ...undeclaredLimits, prompt: { maxLength: 3 } }
  expect(await failureOf(job({ limits, prompt: '😀😀😀' }))).toBe('done')
  expect(await failureOf(job({ limits, prompt: '😀😀😀😀' }))).toEqual({
    code: 'prompt_validation',
    reason: 'prompt_too_long',
    details: { maxLength: 3, actualLength: 4 },
  })
})

test('without a limit in the catalog, each output type has its own prompt limit', async () => {
  expect(await failureOf(job({ prompt: 'x'.repeat(2001) }))).toMatchObject({ details: { maxLength: 2000 } })
  expect(await failureOf(job({ task: 'text-to-speech', outputType: 'audio', prompt: 'x'.repeat(5001) }))).toMatchObject({
    details: { maxLength: 5000 },
  })
  expect(await failureOf(job({ task: 'text-to-3d', outputType: 'model3d', prompt: 'x'.repeat(1001) }))).toMatchObject({
    details: { maxLength: 1000 },
  })
})

test('a limit that the request exceeds wins over the requested outcome', async () => {
  const spec = job({
    limits: { ...undeclaredLimits, prompt: { maxLength: 3 } },
    parameters: { outcome: 'timeout/model_timeout', runSeconds: 60 },
  })
  expect(await failureOf(spec)).toMatchObject({ reason: 'prompt_too_long' })
})

const mimeTypes = ['image/png', 'image/jpeg']
const images = { mimeTypes, minBytes: 8, maxBytes: 1000, minWidth: 32, maxWidth: 90, minHeight: 16, maxHeight: 100, maxAspectRatio: 2 }

test.each([
  [
    'a file over the limit',
    { sizeBytes: 1001 },
    { code: 'file_size', reason: 'file_too_large', details: { maxBytes: 1000, actualBytes: 1001 } },
  ],
  [
    'a file under the limit',
    { sizeBytes: 7 },
    { code: 'file_size', reason: 'file_too_small', details: { minBytes: 8, maxBytes: 1000, actualBytes: 7 } },
  ],
  ['a HEIC image', { mimeType: 'image/heic' }, { code: 'image_format', reason: 'image_unreadable' }],
  ['an image of an unsupported type', { mimeType: 'image/webp' }, { code: 'image_format', reason: 'image_unreadable' }],
  [
    'an image too narrow',
    { width: 31, height: 60 },
    { code: 'image_size', reason: 'image_too_small', details: { minWidth: 32, minHeight: 16, width: 31, height: 60 } },
  ],
  [
    'an image too high',
    { width: 40, height: 101 },
    {
      code: 'image_size',
      reason: 'image_too_large',
      details: { maxWidth: 90, maxHeight: 100, maxPixels: 67_108_864, width: 40, height: 101 },
    },
  ],
  [
    'an image too wide for its height',
    { width: 80, height: 39 },
    {
      code: 'image_size',
      reason: 'aspect_ratio_rejected',
      details: { minAspectRatio: 1 / 16_384, maxAspectRatio: 2, width: 80, height: 39 },
    },
  ],
])('%s is refused by its metadata, without reading it', async (_, known, failure) => {
  const open = () => Promise.reject(new Error('must not be read'))
  const limits = { ...undeclaredLimits, images }
  const spec = job({ task: 'image-to-image', limits, inputs: [input(Buffer.alloc(10), { open, ...known })] })
  expect(await failureOf(spec)).toEqual(failure)
})

test('an image with more pixels than a render can hold is refused, whatever the catalog says', async () => {
  const inputs = [input(Buffer.alloc(10), { width: 16_000, height: 16_000 })]
  expect(await failureOf(job({ task: 'image-to-image', inputs }))).toMatchObject({ reason: 'image_too_large' })
})

test.each([
  ['an unsupported type', { mimeType: 'video/webm' }],
  ['a frame too small', { width: 99, height: 200 }],
  ['a frame with too high an aspect ratio', { width: 400, height: 100 }],
  ['a clip too short', { durationSeconds: 0.9 }],
  ['a clip too long', { durationSeconds: 5.1 }],
])('a video with %s is rejected', async (_, known) => {
  const bounds = { mimeTypes: ['video/mp4'], minWidth: 100, maxAspectRatio: 3, minDurationSeconds: 1, maxDurationSeconds: 5 }
  const clip = { field: 'videoIds', mimeType: 'video/mp4', width: 200, height: 100, durationSeconds: 2 } as const
  const spec = (parts: object) =>
    job({
      task: 'video-to-video',
      outputType: 'video',
      limits: { ...undeclaredLimits, videos: bounds },
      inputs: [input(Buffer.alloc(10), { ...clip, ...parts })],
    })
  expect(await failureOf(spec({}))).toBe('done')
  expect(await failureOf(spec(known))).toEqual({ code: 'parameter_validation', reason: 'input_rejected_by_model' })
})

test('an unknown task, or one with another output, is not supported', async () => {
  const unsupported = { code: 'feature_limitation', reason: 'not_supported' }
  expect(await failureOf(job({ task: 'image-to-text' }))).toEqual(unsupported)
  expect(await failureOf(job({ task: 'constructor' }))).toEqual(unsupported)
  expect(await failureOf(job({ task: 'text-to-video', outputType: 'audio' }))).toEqual(unsupported)
})

test('a task without its required input is refused', async () => {
  const rejected = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  expect(await failureOf(job({ task: 'image-to-image' }))).toEqual(rejected)
  const image = input(Buffer.alloc(10))
  expect(await failureOf(job({ task: 'inpaint', inputs: [image] }))).toEqual(rejected)
  expect(await failureOf(job({ task: 'inpaint', inputs: [image, image] }))).toBe('done')
  const clip = input(Buffer.alloc(10), { field: 'videoIds', mimeType: 'video/mp4' })
  expect(await failureOf(job({ task: 'lip-sync', outputType: 'video', inputs: [clip] }))).toEqual(rejected)
})

test('a cancel succeeds until the work is ready, and is too late afterwards', async () => {
  const submitted = await sandbox.submit(job({ parameters: { runSeconds: 10 } }), context())
  if (submitted.kind !== 'job') throw new Error('expected a handle')
  expect(await sandbox.cancel(submitted.handle, context({ now: later(9) }))).toBe('cancelled')
  expect(await sandbox.cancel(submitted.handle, context({ now: later(10) }))).toBe('too_late')
})

test.each([[null], ['text'], [[]], [{}], [{ readyAt: 'never' }], [{ readyAt: 5 }]])(
  'a handle with %j ends the work instead of running forever',
  async (data) => {
    expect(await sandbox.poll({ provider: 'sandbox', v: 1, data }, job(), context())).toMatchObject({ state: 'succeeded' })
  },
)
