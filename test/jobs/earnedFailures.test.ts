import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { fileForm } from '../support/http/uploads.ts'
import { sampleFile } from '../support/media/sampleFile.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services, { credits: 100 })

async function upload(content: Buffer): Promise<string> {
  const { body } = await app.ask('POST /files', { key, ...fileForm(content) })
  return body.fileId
}

const family = app.services.catalog.families.get('sandbox-image')
const { minWidth = 0, maxWidth = 0, maxBytes = 0 } = family?.variants.find(({ inputs }) => inputs.images.max > 0)?.inputs.images ?? {}

/** An image of one colour. Without compression its size is that of its pixels. */
function picture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#135' } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

async function failureOf(body: object) {
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', ...body } })
  const ended = (await app.ask(`GET /generations/${started.body.generationId}?wait=30`, { key })).body
  return { status: started.status, state: ended.state, creditsCharged: ended.creditsCharged, error: ended.error }
}

test.each<[string, () => Promise<object>, object]>([
  [
    'a prompt over the limit of the variant',
    async () => ({ prompt: 'x'.repeat(2001) }),
    { code: 'prompt_validation', reason: 'prompt_too_long', hint: 'shorten_prompt', details: { maxLength: 2000, actualLength: 2001 } },
  ],
  [
    'an image under the least size',
    async () => ({ imageIds: [await upload(await picture(minWidth - 1, 200))] }),
    { code: 'image_size', reason: 'image_too_small', hint: 'resize_image', details: { minWidth, width: minWidth - 1 } },
  ],
  [
    'an image beyond the largest size',
    async () => ({ imageIds: [await upload(await picture(maxWidth + 1, 40))] }),
    { code: 'image_size', reason: 'image_too_large', details: { maxWidth, width: maxWidth + 1 } },
  ],
  [
    'an image that the model cannot decode',
    async () => ({ imageIds: [await upload(await sampleFile('png')), await upload(await sampleFile('heic'))] }),
    { code: 'image_format', reason: 'image_unreadable', hint: 'reencode_image' },
  ],
  [
    'a file that is too large for the model',
    async () => ({ imageIds: [await upload(await picture(1000, Math.ceil(maxBytes / 3000) + 1))] }),
    { code: 'file_size', reason: 'file_too_large', hint: 'resize_file', details: { maxBytes } },
  ],
])('%s is accepted, fails with its real cause and the numbers, and costs nothing', async (_what, body, error) => {
  expect(await failureOf(await body())).toMatchObject({
    status: 201,
    state: 'failed',
    creditsCharged: 0,
    error: { ...error, retryable: false },
  })
})
