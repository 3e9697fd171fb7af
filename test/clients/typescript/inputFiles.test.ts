import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectReady, type FileInput, type Generation } from '../../../clients/typescript/src/index.ts'
import { json, refusal, scriptedServer } from './scriptedServer.ts'

let folder = ''
let path = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-inputs-'))
  path = join(folder, 'first frame.png')
  await writeFile(path, 'picture')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const request = { familyId: 'sandbox-image', prompt: 'x' }
const started = json(201, { generationId: 'gen_1', state: 'ready', replayed: false })
const generationId = `gen_${'0'.repeat(26)}`
const stored = (number: number) => json(201, { fileId: `file_${number}`, state: 'ready', sizeBytes: 7 })

const inputs: Record<string, () => FileInput> = {
  'a path': () => path,
  'a file URL': () => pathToFileURL(path),
  'an address': () => 'https://media.example/a.png',
  'a URL': () => new URL('https://media.example/a.png'),
  'a Buffer': () => Buffer.from('picture'),
  'a Blob': () => new Blob(['picture']),
  'a stream': () => new Blob(['picture']).stream(),
  'content with a name': () => ({ content: Buffer.from('picture'), name: 'a.png' }),
}

test.for(Object.keys(inputs))('a run uploads %s on the way and sends its identifier', async (way) => {
  const { client, requests } = await scriptedServer([stored(1), started])
  await client.run({ ...request, images: [inputs[way]?.() ?? ''] })
  const [upload, start] = requests
  expect(upload?.url).toBe('/api/v1/files')
  expect(upload?.body.toString()).toContain(way === 'an address' || way === 'a URL' ? '{"url":"https://media.example/a.png"}' : 'picture')
  expect(JSON.parse(start?.body.toString() ?? '')).toEqual({ ...request, imageIds: ['file_1'] })
})

test('identifiers are sent as they are, in order, and a repeated file is uploaded once', async () => {
  const { client, requests } = await scriptedServer([stored(1), started])
  const image = Buffer.from('picture')
  await client.start({ ...request, images: [image, generationId, image], videos: [generationId] })
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/files', '/api/v1/generations'])
  expect(JSON.parse(requests[1]?.body.toString() ?? '')).toMatchObject({
    imageIds: ['file_1', generationId, 'file_1'],
    videoId: generationId,
  })
})

test('nothing is started when a file cannot be uploaded or stands beside identifiers', async () => {
  const { client, requests } = await scriptedServer([refusal(415, 'unsupported_file_format')])
  await expect(client.run({ ...request, images: [Buffer.from('x')] })).rejects.toMatchObject({ code: 'unsupported_file_format' })
  await expect(client.run({ ...request, images: [join(folder, 'none.png')] })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(client.run({ ...request, images: [path], imageIds: [generationId] })).rejects.toThrow('either images or imageIds')
  await expect(client.run({ ...request, images: [new URL('ftp://host/a')] })).rejects.toThrow('http, https or file URL')
  expect(requests.map(({ url }) => url)).toEqual(['/api/v1/files'])
})

test('a failed start has the request with its uploads, to continue with', async () => {
  const { client } = await scriptedServer([stored(1), refusal(402, 'insufficient_credits')])
  await expect(client.run({ ...request, images: [path] })).rejects.toMatchObject({ request: { ...request, imageIds: ['file_1'] } })
})

function readyAt(url: string, sizeBytes: number): Generation {
  return expectReady({ generationId: 'gen_1', state: 'ready', result: { type: 'image', url, sizeBytes } } as Generation)
}

test('a download to a path is complete or not there, repeats a broken one, and never sends the key', async () => {
  const half = (response: Parameters<typeof started>[0]) => {
    response.writeHead(200, { 'Content-Length': '7' }).write('pic', () => response.destroy())
  }
  const whole = (response: Parameters<typeof started>[0]) => void response.writeHead(200).end('picture')
  const { client, origin, requests } = await scriptedServer([half, whole])
  const to = join(folder, 'saved.png')
  expect(await client.download(readyAt(`${origin}/r/token`, 7), { to })).toBe(to)
  expect(await readFile(to, 'utf8')).toBe('picture')
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  const cut = await scriptedServer([whole])
  const lost = client.download(readyAt(`${cut.origin}/r/token`, 9), { to: join(folder, 'cut.png'), attemptsMax: 2 })
  await expect(lost).rejects.toMatchObject({ code: 'connection_failed', message: expect.not.stringContaining('token') })
  await expect(client.download(readyAt(`${cut.origin}/r/token`, 7), { to: join(folder, 'no/such.png') })).rejects.toMatchObject({
    code: 'ENOENT',
  })
  expect(await readdir(folder)).toEqual(['first frame.png', 'saved.png'])
})
