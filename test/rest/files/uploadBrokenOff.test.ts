import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aFileServer } from '../../support/http/fileServer.ts'
import { fileForm, mp4Of, requireNoTraces, traces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp({ settings: { allowedPrivateAddresses: parseCidrs('127.0.0.1/32') } })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const png = await sampleFile('png')

afterEach(async () => {
  await requireNoTraces(app.services)
  // That a client goes away is nothing to be alarmed about.
  const alarms = app.logged.filter(({ level }) => level === 'error' || level === 'warn')
  if (alarms.length > 0) throw new Error(JSON.stringify(alarms))
})

/** Sends the head and the first half of an upload, and waits until some of it lies in a temporary file. */
async function half(body: Buffer, type: string): Promise<Socket> {
  const socket = connect(app.port, '127.0.0.1').resume()
  socket.on('error', () => undefined)
  const lines = [
    'POST /api/v1/files HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, body.length / 2))
  await expect.poll(async () => (await traces(app.services)).temporary).toHaveLength(1)
  return socket
}

const video = await mp4Of(6_000_000)
const { body: formBody, headers: { 'content-type': formType = '' } = {} } = fileForm(video)
const jsonBody = Buffer.from(JSON.stringify({ base64: video.toString('base64') }))

test.each([
  ['a form', formBody as Buffer, formType],
  ['base64', jsonBody, 'application/json'],
])('a disconnect during %s leaves no file', async (_way, body, type) => {
  const socket = await half(body, type)
  socket.destroy()
})

test('a connection reset leaves no file', async () => {
  const socket = await half(formBody as Buffer, formType)
  socket.resetAndDestroy()
})

test('a half-closed connection leaves no file', async () => {
  const socket = await half(formBody as Buffer, formType)
  socket.end()
  await once(socket, 'close')
})

test('a disconnect aborts the download of the link', async () => {
  const fetched = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const { url } = await aFileServer((request, response) => {
    response.write(video.subarray(0, 100_000))
    request.socket.once('close', ended.resolve)
    fetched.resolve()
  })
  const leaving = new AbortController()
  const asked = fetch(`${app.origin}/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal: leaving.signal,
  })
  await fetched.promise
  leaving.abort()

  await expect(asked).rejects.toThrow('aborted')
  await ended.promise
})

test('a file that cannot be stored is an internal error and leaves no file', async () => {
  const { storage } = app.services
  app.services.storage = { ...storage, take: () => Promise.reject(new Error('the disk is full')) }
  try {
    const { status, body } = await app.ask('POST /files', { key, ...fileForm(png) })
    expect([status, body.error.code, body.error.retryable]).toEqual([500, 'internal_error', true])
  } finally {
    app.services.storage = storage
    app.logged.splice(0)
  }
})

test('an overloaded inspector refuses uploads with Retry-After', async () => {
  const { inspector } = app.services
  const { Refusal } = await import('../../../src/contract/refusals/refusals.ts')
  app.services.inspector = { ...inspector, inspect: () => Promise.reject(new Refusal('service_unavailable', { retryAfterSeconds: 5 })) }
  try {
    const { status, headers } = await app.ask('POST /files', { key, ...fileForm(png) })
    expect([status, headers['retry-after']]).toEqual([503, '5'])
  } finally {
    app.services.inspector = inspector
    app.logged.splice(0)
  }
})
