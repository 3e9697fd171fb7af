import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { NotSent } from '../../../../src/network/trustedRequest.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { type Exchange, json, startFakeServer } from '../../../support/vendors/fakeServer.ts'
import { openaiUnderTest } from '../../../support/vendors/openai.ts'
import { catalogJob } from '../../catalogJob.ts'
import { providerAt } from '../../providerAt.ts'
import { input } from '../../sandbox/sandboxJobs.ts'

/** A server with an API like OpenAI's. */
async function aServer(answer: (exchange: Exchange) => Promise<void> | void) {
  const server = await startFakeServer(async (exchange) => {
    await exchange.request.toArray()
    await answer(exchange)
  })
  onTestFinished(() => server.close())
  const provider = providerAt(openaiUnderTest, server.url)
  return { ...aProviderContext(), provider, url: server.url, open: server.open }
}

const drawn = () => catalogJob('openai', 'openai-gpt-image-2.text-to-image.low', { prompt: 'a boat at dusk' })
const spoken = () => catalogJob('openai', 'openai-speech.text-to-speech.hd', { prompt: 'a boat at dusk' })

test('an output URL is downloaded, with the key only from the server itself', async () => {
  const asked: (string | undefined)[] = []
  const png = await sampleFile('png')
  const { provider, context, url } = await aServer((exchange) => {
    if (exchange.path !== '/files/1.png') return json(exchange, 200, { created: 1, data: [{ url: `${url}/files/1.png`, b64_json: null }] })
    asked.push(exchange.request.headers.authorization)
    exchange.response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(png)
  })
  const submitted = await provider.submit(await drawn(), context)
  expect(submitted).toEqual({ kind: 'done', outputs: [{ data: { url: `${url}/files/1.png` } }] })
  const collected = await provider.collect({ data: { url: `${url}/files/1.png` } }, await drawn(), context)
  expect(collected.state === 'bytes' && (await buffer(collected.stream))).toEqual(png)
  expect(asked).toEqual([`Bearer ${openaiUnderTest.key}`])
})

test.each(['image/png', 'application/octet-stream'])('an answer with the bytes of the image, as %s, is staged', async (type) => {
  const png = await sampleFile('png')
  const { provider, context, kept } = await aServer(({ response }) => void response.writeHead(200, { 'content-type': type }).end(png))
  expect(await provider.submit(await drawn(), context)).toMatchObject({ kind: 'done', outputs: [{ kept: true }] })
  expect(kept).toEqual([{ bytes: png, mimeType: 'image/png' }])
})

test('JSON with another media type and speech as base64 are read', async () => {
  const wav = await sampleFile('wav')
  const { provider, context, kept } = await aServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify({ audio: wav.toString('base64') }))
  })
  expect(await provider.submit(await spoken(), context)).toMatchObject({ kind: 'done' })
  expect(kept).toEqual([{ bytes: wav, mimeType: 'audio/wav' }])
})

test('audio instead of an image is not read to the end: the connection is closed', async () => {
  const mp3 = await sampleFile('mp3')
  const { provider, context, open } = await aServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(Buffer.concat([mp3, Buffer.alloc(1024 * 1024)]))
  })
  expect(await provider.submit(await drawn(), context)).toMatchObject({ failure: { reason: 'provider_failed' } })
  await expect.poll(open, { interval: 5 }).toBe(0)
})

test('a staged image counts, even when the server sends much more', async () => {
  const png = (await sampleFile('png')).toString('base64')
  const { provider, context, open } = await aServer(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(`{"data":[{"b64_json":"${png}"},{"b64_json":"`)
    const megabytes = Array.from({ length: 250 }, () => Buffer.alloc(1_400_000, 'A'))
    await pipeline(Readable.from(megabytes), response).catch(() => undefined)
  })
  expect(await provider.submit(await drawn(), context)).toMatchObject({ kind: 'done', outputs: [{ kept: true }] })
  await expect.poll(open, { interval: 5 }).toBe(0)
})

test.each([
  [400, { error: { message: 'Your prompt was flagged as unsafe.' } }, 'content_policy/prompt_rejected'],
  [200, { error: { message: 'The content policy forbids it.', code: null } }, 'content_policy/prompt_rejected'],
  [200, { error: 'no such voice' }, 'provider_error/provider_failed'],
  [200, { data: [] }, 'provider_error/provider_failed'],
  [400, { detail: 'Unprocessable' }, 'parameter_validation/parameter_rejected'],
  [403, { error: { message: `no access for ${openaiUnderTest.key}` } }, 'authentication/provider_access_closed'],
  [502, { error: { message: 'The engine broke down.', type: 'server_error' } }, 'provider_error/provider_failed'],
])('%i with %j is %s, and the key is in no log', async (status, body, name) => {
  const { provider, context, warnings } = await aServer((exchange) => json(exchange, status, body))
  const submitted = await provider.submit(await drawn(), context)
  const [code, reason] = name.split('/')
  expect(submitted).toMatchObject({ kind: 'failed', failure: { code, reason } })
  expect(JSON.stringify(warnings)).not.toContain(openaiUnderTest.key)
})

test.each([400, 429, 500])('an image in an answer with status %i is not stored, also when the answer breaks off', async (status) => {
  const png = (await sampleFile('png')).toString('base64')
  const { provider, context, kept } = await aServer(async ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json' }).write(`{"data":[{"b64_json":"${png}"},`, () => response.destroy())
  })
  await expect(provider.submit(await drawn(), context)).rejects.toBeInstanceOf(Error)
  expect(kept).toEqual([])
})

test("the caller's texts are removed from the logged error", async () => {
  const message = 'Invalid prompt: a boat at dusk'
  const { provider, context, warnings } = await aServer((exchange) => json(exchange, 400, { error: { message } }))
  await provider.submit(await drawn(), context)
  expect(warnings).toMatchObject([{ fields: { words: 'Invalid prompt: [prompt]' } }])
})

test('an input that cannot be opened fails before anything is sent', async () => {
  const { provider, context } = await aServer(() => expect.unreachable())
  const inputs = [input(await sampleFile('png')), input(Buffer.of(1), { open: () => Promise.reject(new Error('the storage is away')) })]
  const spec = await catalogJob('openai', 'openai-gpt-image-2.image-to-image.low', { inputs })
  await expect(provider.submit(spec, context)).rejects.toBeInstanceOf(NotSent)
})

test('opened inputs are closed when the server is unreachable', async () => {
  const server = await startFakeServer(() => expect.unreachable())
  await server.close()
  const streams = [1, 2, 3].map(() => Readable.from([Buffer.alloc(9)]))
  const inputs = streams.map((stream) => input(Buffer.alloc(9), { open: async () => stream }))
  const spec = await catalogJob('openai', 'openai-gpt-image-2.image-to-image.low', { inputs })
  await expect(providerAt(openaiUnderTest, server.url).submit(spec, aProviderContext().context)).rejects.toBeInstanceOf(NotSent)
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
})

test.each([
  [200, { ok: true }],
  [401, { ok: false, message: 'rejects OPENAI_API_KEY' }],
  [500, { ok: false, message: 'answers with 500' }],
  [404, { ok: true, message: expect.stringContaining('the key was not tried') }],
])('health maps the status %i of the list of models to %j', async (status, health) => {
  const { provider, context } = await aServer((exchange) => json(exchange, status, { data: [] }))
  expect(await provider.health?.(context)).toEqual(health)
})
