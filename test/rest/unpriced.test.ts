import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aTeamWithKey, type TeamWithKey } from '../support/factories.ts'

let app: TestApp
let made: TeamWithKey
let folder: string

/** Our own families, of which one is priced for PNG alone. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-catalog-'))
  const read = (name: string) => readFile(join(import.meta.dirname, '..', '..', 'catalog', 'sandbox', name), 'utf8')
  const image = JSON.parse(await read('sandbox-image.json')) as { variants: { prices: object[] }[] }
  for (const variant of image.variants) variant.prices = [{ unit: 'generation', credits: 1, when: { outputFormat: 'png' } }]
  await writeFile(join(folder, 'sandbox-image.json'), JSON.stringify(image))
  await writeFile(join(folder, 'sandbox-video.json'), await read('sandbox-video.json'))
  app = await testApp({ catalogFolder: folder })
  made = await aTeamWithKey(app.services)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function aVideo(durationSeconds: number | null): Promise<string> {
  const id = newId('file')
  await app.services.pool.query(
    `insert into files (id, owner_id, state, type, mime_type, size_bytes, width, height, duration_seconds, storage_key, sha256, created_at, expires_at)
       values ($1, $2, 'ready', 'video', 'video/mp4', 1000, 64, 64, $3, 'files/none', '00', now(), 'infinity')`,
    [id, made.team.id, durationSeconds],
  )
  return id
}

test.each(['POST /generations/estimate', 'POST /generations'])(
  '%s without a price for these parameters is refused, and nothing is held',
  async (what) => {
    const body = { familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { outputFormat: 'jpeg' } }
    expect(await app.ask(what, { key: made.value, body })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'price_unavailable',
          retryable: false,
          details: { modelId: 'sandbox-image.text-to-image.draft', missing: ['outputFormat'] },
        },
      },
    })
    expect((await app.ask('GET /account', { key: made.value })).body.creditsAvailable).toBe(1000)
  },
)

test.each(['POST /generations/estimate', 'POST /generations'])(
  '%s of a video that is not measured yet is refused, and worth a repeat',
  async (what) => {
    const videoId = await aVideo(null)
    const body = { familyId: 'sandbox-video', videoId }
    expect(await app.ask(what, { key: made.value, body })).toMatchObject({
      status: 400,
      body: { error: { code: 'file_metadata_missing', retryable: true, details: { fileId: videoId, missing: ['durationSeconds'] } } },
    })
    expect((await app.ask('GET /account', { key: made.value })).body.creditsAvailable).toBe(1000)
  },
)

test('measured seconds are not rounded, and the price is rounded up once to the hundredth', async () => {
  const body = { familyId: 'sandbox-video', videoId: await aVideo(2.3456), axes: { mode: 'quality' } }
  expect((await app.ask('POST /generations/estimate', { key: made.value, body })).body).toMatchObject({
    credits: 7.04,
    breakdown: [{ unit: 'input_second', quantity: 2.3456, credits: 7.04 }],
  })
})
