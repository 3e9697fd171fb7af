import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendObject } from '../../src/http/results/sendObject.ts'
import { storageKinds, type TestStorage } from '../storage/storages.ts'

const content = randomBytes(12_000_000)
const sha256 = createHash('sha256').update(content).digest('hex')

describe.each(storageKinds())('from %s', (_name, open) => {
  let opened: TestStorage
  let app: FastifyInstance

  beforeEach(async () => {
    opened = await open()
    await opened.storage.put('large', Readable.from([content]))
    app = fastify({ forceCloseConnections: true })
    const object = { key: 'large', sizeBytes: content.length, sha256, mimeType: 'video/mp4', fileName: 'a.mp4' }
    app.get('/object', (request, reply) => sendObject(request, reply, { storage: opened.storage, object, download: false }))
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await app.close()
    await opened.dispose()
  })

  /** Reads everything; after each chunk it waits for the given number of event loop turns. */
  async function received(turns: number): Promise<string> {
    const [answer] = (await once(get(`${app.listeningOrigin}/object`), 'response')) as [IncomingMessage]
    const hash = createHash('sha256')
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      hash.update(chunk)
      for (let count = 0; count < turns; count += 1) await turn()
    }
    return hash.digest('hex')
  }

  test('a large object arrives unchanged, at fast, slow and concurrent clients', async () => {
    const hashes = await Promise.all([received(0), received(0), received(5), received(40)])

    expect(hashes).toEqual([sha256, sha256, sha256, sha256])
  })

  test('a large object arrives completely without a socket', async () => {
    const { rawPayload } = await app.inject('/object')

    expect(rawPayload.equals(content)).toBe(true)
  })
})
