import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SendObjectOptions } from '../../../src/http/results/sendObject.ts'
import { storageKinds, type TestStorage } from '../../storage/storages.ts'
import { deliveryOf, objectServer } from '../../support/http/objectServer.ts'

const server = objectServer()

describe.each(storageKinds())('from %s', (_name, open) => {
  let opened: TestStorage

  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.dispose())

  test('a disconnected client closes the object', async () => {
    const { stream, response } = await askForLarge(opened)

    response.destroy()

    await onceClosed(stream)
  })

  test('a client that disconnects before the object is open closes it too', async () => {
    const asked = request(`${server.app.listeningOrigin}/object`).on('error', () => {})
    const gone = new Promise((resolve) => server.app.server.once('connection', (socket) => socket.once('close', resolve)))
    const opening = Promise.withResolvers<Readable>()
    server.delivery = deliveryOf(opened, await opened.storage.put('results/large', Readable.from([Buffer.alloc(1_000_000)])))
    server.delivery.storage = {
      ...opened.storage,
      async open(key) {
        asked.destroy()
        await gone
        const stream = await opened.storage.open(key)
        opening.resolve(stream)
        return stream
      },
    }
    asked.end()

    const stream = await opening.promise
    await new Promise((resolve) => (stream.closed ? resolve(undefined) : stream.once('close', resolve)))
  })

  test('a client that stops reading is cut off and the object is closed', async () => {
    const { stream, response } = await askForLarge(opened, 50)
    response.on('error', () => {})

    await onceClosed(stream)
  })
})

/** Requests more than the socket buffers hold, and returns the stream that the delivery reads. */
async function askForLarge(opened: TestStorage, silenceMs?: number): Promise<{ stream: Readable; response: IncomingMessage }> {
  const stored = await opened.storage.put('results/large', Readable.from([Buffer.alloc(20_000_000)]))
  let stream: Readable | undefined
  const storage = {
    ...opened.storage,
    async open(key: string) {
      stream = await opened.storage.open(key)
      return stream
    },
  }
  server.delivery = { ...deliveryOf(opened, stored), storage, ...(silenceMs === undefined ? {} : { silenceMs }) }
  const response = await server.ask()
  if (stream === undefined) throw new Error('nothing was opened')
  return { stream, response }
}

async function onceClosed(stream: Readable): Promise<void> {
  await new Promise((resolve) => (stream.closed ? resolve(undefined) : stream.once('close', resolve)))
  expect(stream.readableEnded).toBe(false)
}

/** A storage whose content fails after `sentBytes`. */
function failingAfter(sentBytes: number): SendObjectOptions {
  const content = function* () {
    for (let sent = 0; sent < sentBytes; sent += 1000) yield Buffer.alloc(1000)
    throw new Error('the medium failed')
  }
  const object = { key: 'a', sizeBytes: 5_000_000, sha256: '0'.repeat(64), mimeType: 'image/png', fileName: 'a.png' }
  const open = async () => Readable.from(content())
  return { storage: { open, read: async () => await buffer(await open()) }, object, download: false }
}

test.each([1000, 100_000, 4_999_000])(
  'content that fails after %i bytes closes the connection instead of ending normally',
  async (sentBytes) => {
    server.delivery = failingAfter(sentBytes)

    await expect(server.ask().then(buffer)).rejects.toMatchObject({ code: 'ECONNRESET' })
  },
)

test('content that fails before its first byte gets an error response, with none of the headers of the object', async () => {
  server.delivery = failingAfter(0)
  const response = await server.ask()

  expect(response.statusCode).toBe(500)
  expect(response.headers).not.toHaveProperty('etag')
})

test('the server keeps running after each failure', async () => {
  for (const sentBytes of [0, 1000, 100_000]) {
    server.delivery = failingAfter(sentBytes)
    await server
      .ask()
      .then(buffer)
      .catch(() => {})
  }
  server.delivery = failingAfter(0)

  expect((await server.ask({}, 'HEAD')).statusCode).toBe(200)
})
