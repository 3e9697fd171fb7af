import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredObject } from '../../../src/storage/storage.ts'
import { storageKinds, type TestStorage } from '../../storage/storages.ts'
import { deliveryOf, objectServer } from '../../support/http/objectServer.ts'

const digits = '0123456789'
const server = objectServer()

describe.each(storageKinds())('from %s', (_name, open) => {
  let opened: TestStorage
  let stored: StoredObject
  let entityTag: string

  beforeEach(async () => {
    opened = await open()
    stored = await opened.storage.put('results/a', Readable.from([digits]))
    entityTag = `"${stored.sha256}"`
    server.delivery = deliveryOf(opened, stored)
  })
  afterEach(() => opened.dispose())

  test('a plain request gets the whole object, with all headers for clients and browsers', async () => {
    const response = await server.ask()

    expect(response.statusCode).toBe(200)
    expect(String(await buffer(response))).toBe(digits)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'inline; filename="a.png"',
      etag: entityTag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'referrer-policy': 'no-referrer',
      'x-request-id': 'req_1',
    })
    expect(response.headers).not.toHaveProperty('transfer-encoding')
    expect(response.headers).not.toHaveProperty('content-range')
  })

  test('HEAD gets the headers of GET and no content, for any range', async () => {
    const { date: _date, ...expected } = (await server.ask()).headers
    const response = await server.ask({ range: 'bytes=2-3' }, 'HEAD')

    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject(expected)
    expect(await buffer(response)).toHaveLength(0)
  })

  test.each([
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-4', '6789', 'bytes 6-9/10'],
    ['bytes=0-100', digits, 'bytes 0-9/10'],
  ])('the range %s gets its part as 206', async (range, expected, contentRange) => {
    const response = await server.ask({ range })

    expect(response.statusCode).toBe(206)
    expect(String(await buffer(response))).toBe(expected)
    expect(response.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(expected.length),
      'content-type': 'image/png',
      etag: entityTag,
    })
  })

  test('a range after the end gets 416 and the size', async () => {
    const response = await server.ask({ range: 'bytes=10-' })

    expect(response.statusCode).toBe(416)
    expect(response.headers).toMatchObject({ 'content-range': 'bytes */10', 'content-length': '0', 'cache-control': 'private, no-store' })
    expect(response.headers).not.toHaveProperty('content-type')
    expect(await buffer(response)).toHaveLength(0)
  })

  test('several ranges in one header get the whole object', async () => {
    const response = await server.ask({ range: 'bytes=0-1,4-5' })

    expect(response.statusCode).toBe(200)
    expect(String(await buffer(response))).toBe(digits)
  })

  test.each([
    ['the same tag', (tag: string) => tag],
    ['the weak form', (tag: string) => `W/${tag}`],
    ['a list that holds it', (tag: string) => `"x", W/"y,z",${tag}`],
    ['any', () => ' * '],
  ])('If-None-Match with %s gets 304 without content, also with a range', async (_kind, headerOf) => {
    const response = await server.ask({ 'if-none-match': headerOf(entityTag), range: 'bytes=2-3' })

    expect(response.statusCode).toBe(304)
    expect(response.headers).toMatchObject({ etag: entityTag, 'cache-control': 'private, no-store' })
    expect(response.headers).not.toHaveProperty('content-length')
    expect(response.headers).not.toHaveProperty('content-type')
    expect(await buffer(response)).toHaveLength(0)
  })

  test.each(['"other"', '', '"', '"*"'])('If-None-Match with %j gets the object', async (header) => {
    const response = await server.ask({ 'if-none-match': header })

    expect(response.statusCode).toBe(200)
    expect(String(await buffer(response))).toBe(digits)
  })

  test('If-Range gets the part for the same tag, and the whole for another, a weak one or a date', async () => {
    const answerTo = async (condition: string) => {
      const response = await server.ask({ range: 'bytes=2-3', 'if-range': condition })
      return [response.statusCode, String(await buffer(response))]
    }

    expect(await answerTo(entityTag)).toEqual([206, '23'])
    expect(await answerTo('"other"')).toEqual([200, digits])
    expect(await answerTo(`W/${entityTag}`)).toEqual([200, digits])
    expect(await answerTo('Wed, 21 Oct 2026 07:28:00 GMT')).toEqual([200, digits])
  })

  test('a download is an attachment', async () => {
    server.delivery.download = true

    expect((await server.ask()).headers['content-disposition']).toBe('attachment; filename="a.png"')
  })

  test.each(['video/mp4', 'audio/wav'])("the type %s may be loaded by the browser's own player, and runs nothing", async (mimeType) => {
    server.delivery.object.mimeType = mimeType

    expect((await server.ask()).headers['content-security-policy']).toBe("default-src 'none'; media-src 'self'; sandbox allow-same-origin")
  })

  test.each(['text/html\r\nx: y', 'nonsense', ''])('the invalid type %j is not sent', async (mimeType) => {
    server.delivery.object.mimeType = mimeType

    expect((await server.ask()).headers['content-type']).toBe('application/octet-stream')
  })

  test('an empty object is sent empty, and has no ranges', async () => {
    server.delivery = deliveryOf(opened, await opened.storage.put('results/empty', Readable.from([])))
    const whole = await server.ask()
    const part = await server.ask({ range: 'bytes=0-' })

    expect([whole.statusCode, whole.headers['content-length'], part.statusCode]).toEqual([200, '0', 416])
    expect(part.headers['content-range']).toBe('bytes */0')
  })

  test('20 MB arrive unchanged, whole and as a range, over a connection that stays usable', async () => {
    const content = randomBytes(20_000_000)
    server.delivery = deliveryOf(opened, await opened.storage.put('results/large', Readable.from([content])))

    expect((await buffer(await server.ask())).equals(content)).toBe(true)
    expect((await buffer(await server.ask({ range: 'bytes=9999999-15000000' }))).equals(content.subarray(9_999_999, 15_000_001))).toBe(true)
    expect((await server.ask({}, 'HEAD')).statusCode).toBe(200)
  })

  test('a missing object is left to the error handler, with none of its headers', async () => {
    server.delivery.object.key = 'results/absent'
    const response = await server.ask({ range: 'bytes=2-3' })

    expect(response.statusCode).toBe(404)
    expect(JSON.parse(String(await buffer(response)))).toEqual({ error: { code: 'our own shape' } })
    for (const name of ['etag', 'content-range', 'content-disposition', 'accept-ranges']) expect(response.headers).not.toHaveProperty(name)
  })

  test.each([
    ['shorter', 1_000_000, 2_000_000],
    ['longer', 2_000_000, 1_000_000],
  ])('an object that is %s than recorded closes the connection', async (_kind, sizeBytes, recordedBytes) => {
    server.delivery = deliveryOf(opened, await opened.storage.put('results/wrong', Readable.from([Buffer.alloc(sizeBytes)])))
    server.delivery.object.sizeBytes = recordedBytes

    await expect(server.ask().then(buffer)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})
