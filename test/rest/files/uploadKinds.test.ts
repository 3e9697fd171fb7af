import { afterAll, expect, test } from 'vitest'
import { mediaFormats } from '../../../src/media/mediaFormats.ts'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aFileServer } from '../../support/http/fileServer.ts'
import { fileForm } from '../../support/http/uploads.ts'
import { sampleFile, sampleHeight, sampleKinds, sampleSeconds, sampleWidth } from '../../support/media/sampleFile.ts'

const app = await testApp({ settings: { allowedPrivateAddresses: parseCidrs('127.0.0.1/32') } })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

type Kind = (typeof sampleKinds)[number]

const ways = {
  form: async (kind: Kind) => app.ask('POST /files', { key, ...fileForm(await sampleFile(kind)) }),
  base64: async (kind: Kind) => app.ask('POST /files', { key, body: { base64: (await sampleFile(kind)).toString('base64') } }),
  link: async (kind: Kind) => {
    const { url } = await aFileServer({ body: await sampleFile(kind) })
    return app.ask('POST /files', { key, body: { url } })
  },
}

const aboutSampleSeconds = expect.closeTo(sampleSeconds, 0)
const usableIn = { image: ['imageIds'], video: ['videoId', 'videoIds'], audio: ['audioIds'], model3d: ['model3dIds'] }

const each = (Object.keys(ways) as (keyof typeof ways)[]).flatMap((way) => sampleKinds.map((kind) => [way, kind] as const))

test.each(each)('by %s, %s comes in as what it is, and measured', async (way, kind) => {
  const { type, mimeType } = mediaFormats[kind]
  const isPicture = type === 'image' || type === 'video'
  const seconds: unknown = type === 'video' || type === 'audio' ? aboutSampleSeconds : null

  const { status, headers, body } = await ways[way](kind)

  expect(status).toBe(201)
  expect(headers['location']).toBe(`/api/v1/files/${body.fileId}`)
  expect(body).toEqual({
    fileId: expect.stringMatching(/^file_[0-9a-z]{26}$/),
    state: 'ready',
    type,
    mimeType,
    sizeBytes: (await sampleFile(kind)).length,
    width: isPicture ? sampleWidth : null,
    height: isPicture ? sampleHeight : null,
    durationSeconds: seconds,
    usableIn: usableIn[type],
    createdAt: '2026-03-10T12:00:00.000Z',
    expiresAt: '2026-04-09T12:00:00.000Z',
  })
  expect((await app.ask(`GET /files/${body.fileId}`, { key })).body).toEqual(body)
})

test('the stored content equals the sent bytes', async () => {
  const sent = await sampleFile('png')
  const { body } = await app.ask('POST /files', { key, ...fileForm(sent) })

  const kept = await app.services.storage.open(`files/${body.fileId}`)

  expect(Buffer.concat(await kept.toArray()).equals(sent)).toBe(true)
})
