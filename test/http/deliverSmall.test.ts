import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendObject } from '../../src/http/results/sendObject.ts'
import { storageKinds, type TestStorage } from '../storage/storages.ts'

const content = randomBytes(200_000)

describe.each(storageKinds())('from %s', (_name, open) => {
  let opened: TestStorage
  let app: FastifyInstance
  let recordedBytes: number

  beforeEach(async () => {
    opened = await open()
    const stored = await opened.storage.put('small', Readable.from([content]))
    recordedBytes = stored.sizeBytes
    app = fastify({ forceCloseConnections: true })
    app.get('/object', (request, reply) => {
      const object = { ...stored, sizeBytes: recordedBytes, mimeType: 'image/png', fileName: 'a.png' }
      return sendObject(request, reply, { storage: opened.storage, object, download: false })
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await app.close()
    await opened.dispose()
  })

  const ask = (headers: Record<string, string> = {}) => fetch(`${app.listeningOrigin}/object`, { headers })
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

  test('small objects arrive unchanged, whole and in ranges, in many concurrent requests', async () => {
    const bodies = await Promise.all(Array.from({ length: 30 }, async () => bytesOf(await ask())))
    for (const body of bodies) expect(body.equals(content)).toBe(true)
    expect((await bytesOf(await ask({ range: 'bytes=100000-' }))).equals(content.subarray(100_000))).toBe(true)
  })

  test.each([
    ['shorter', 200_001],
    ['longer', 199_999],
  ])('a small object that is %s than recorded gets an error response, with none of its headers', async (_kind, recorded) => {
    recordedBytes = recorded
    const response = await ask()
    expect(response.status).toBe(500)
    for (const name of ['etag', 'content-disposition', 'accept-ranges']) expect(response.headers.has(name)).toBe(false)
  })
})
