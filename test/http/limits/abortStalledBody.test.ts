import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { opened } from '../../support/http/rawSocket.ts'
import { fileForm, traces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const stallMs = 300
const app = await testApp({ timeouts: { headersMs: 5000, requestMs: 600_000, stallMs, silenceMs: 120_000, checkIntervalMs: 50 } })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const { body, headers = {} } = fileForm(Buffer.concat([await sampleFile('png'), Buffer.alloc(20_000)]))
const upload = body as Buffer

async function begin(path = '/api/v1/files', type = headers['content-type'], length = upload.length): Promise<Socket & { said: string }> {
  const socket = Object.assign(await opened(app.port), { said: '' })
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (socket.said += chunk.toString()))
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, `Content-Length: ${length}`]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))

test('a slow upload that keeps arriving is accepted, however long it takes', async () => {
  const socket = await begin()
  const begunAt = performance.now()
  for (let sent = 0; sent < upload.length; sent += 500) {
    socket.write(upload.subarray(sent, sent + 500))
    await pause(40)
  }
  await expect.poll(() => socket.said, { timeout: 20_000 }).toContain('HTTP/1.1 201')
  expect(performance.now() - begunAt).toBeGreaterThan(4 * stallMs)
  socket.destroy()
})

test.each([
  ['stops', async () => undefined],
  [
    'drips',
    async (socket: Socket) => {
      const drip = setInterval(() => socket.write(' '), 50)
      await closed(socket)
      clearInterval(drip)
    },
  ],
])('a file that %s is cut off with a response, and leaves nothing', async (_what, goOn) => {
  const before = await traces(app.services)
  const socket = await begin()
  const gone = closed(socket)
  socket.write(upload.subarray(0, 10_000))
  await Promise.all([goOn(socket), gone])
  expect(socket.said).toMatch(/^HTTP\/1.1 4\d\d /)
  await expect.poll(() => traces(app.services)).toEqual(before)
  expect(socket.said).toContain('"code":"invalid_request"')
})

test('any other stalled body is cut off too', async () => {
  const socket = await begin('/api/v1/generations/estimate', 'application/json', 1000)
  const gone = closed(socket)
  socket.write('{"familyId":')
  await gone
  expect(socket.said).toContain('"code":"invalid_request"')
})

test('a body that stalls after its refusal gets no second response', async () => {
  const socket = await begin('/api/v1/nothing', 'application/json', 1000)
  const gone = closed(socket)
  socket.write('{"familyId":')
  await gone
  expect(socket.said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
})

test('a request with a complete body may wait for its response without limit', async () => {
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'x' } })
  const answered = await app.ask(`GET /generations/${started.body.generationId}?wait=1`, { key })
  expect(answered.status).toBe(200)
})
