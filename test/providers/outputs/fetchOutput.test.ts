import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { makeConnectionPool } from '../../../src/network/connectionPool.ts'
import { fetchOutput } from '../../../src/providers/outputs/fetchOutput.ts'
import { BrokenOutput, type Collected, UnfitOutput } from '../../../src/providers/provider.ts'
import { answerWith, startRawServer } from '../../network/rawServer.ts'

const rules = { allowedPrivate: [], own: { listeners: [], names: [] } }
function contentOf(collected: Collected): Promise<Buffer> {
  if (collected.state !== 'bytes') throw new Error(`failed: ${JSON.stringify(collected.failure)}`)
  return buffer(collected.stream)
}

const signal = AbortSignal.timeout(10_000)
const expired = { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }
const failed = { state: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }

test("an output on the vendor's own host and port is fetched with the key, also at a private address", async () => {
  const vendor = await startRawServer(() => answerWith(200, { 'content-type': 'image/png' }, 'png'))

  const collected = await fetchOutput(rules, { url: `${vendor.url}/out`, vendorUrl: `${vendor.url}/v1`, headers: { 'x-key': 'k' }, signal })

  expect(collected).toMatchObject({ state: 'bytes', mimeType: 'image/png' })
  expect((await contentOf(collected)).toString()).toBe('png')
  expect(vendor.requests[0]).toContain('x-key: k')
})

test('downloads from one host share a connection', async () => {
  const vendor = await startRawServer(() => answerWith(200, {}, 'png'))
  const connections = makeConnectionPool({ max: 1, idleMilliseconds: 1000 })
  const download = () => fetchOutput({ ...rules, connections }, { url: `${vendor.url}/out`, vendorUrl: vendor.url, signal })

  for (let n = 0; n < 3; n++) expect((await contentOf(await download())).toString()).toBe('png')

  expect(vendor.connections).toBe(1)
  connections.close()
})

test('no other private address is fetched, and no other host receives the key', async () => {
  const vendor = await startRawServer(() => answerWith(200))
  const inside = await startRawServer(() => answerWith(200))
  const open = { ...rules, allowedPrivate: parseCidrs('127.0.0.1/32') }
  const place = { vendorUrl: vendor.url, headers: { 'x-key': 'k' }, signal }

  expect(await fetchOutput(rules, { ...place, url: inside.url })).toEqual(failed)
  expect(inside.connections).toBe(0)
  const elsewhere = await fetchOutput(open, { ...place, url: inside.url })
  if (elsewhere.state === 'bytes') elsewhere.stream.destroy()
  expect(inside.requests[0]).not.toContain('x-key')
})

test('a redirect is refused when its target would be refused', async () => {
  const inside = await startRawServer(() => answerWith(200))
  const vendor = await startRawServer(() => answerWith(302, { location: inside.url }))

  expect(await fetchOutput(rules, { url: vendor.url, vendorUrl: vendor.url, signal })).toEqual(failed)
  expect(inside.connections).toBe(0)
})

test('outputs are never fetched from the service itself', async () => {
  const ourselves = await startRawServer(() => answerWith(200))
  const own = { listeners: [{ address: '127.0.0.1', port: ourselves.port }], names: [] }

  expect(await fetchOutput({ ...rules, own }, { url: ourselves.url, vendorUrl: ourselves.url, signal })).toEqual(failed)
  expect(ourselves.connections).toBe(0)
})

test.each(['file:///etc/passwd', 'not an address', 'http://user:word@127.0.0.1/', 'gopher://127.0.0.1/'])('%s is refused', async (url) => {
  expect(await fetchOutput(rules, { url, vendorUrl: 'http://127.0.0.1:1', signal })).toEqual(failed)
})

test.each([403, 404, 410])('an output that no longer exists (%i) fails as expired', async (status) => {
  const vendor = await startRawServer(() => answerWith(status))
  expect(await fetchOutput(rules, { url: vendor.url, vendorUrl: vendor.url, signal })).toEqual(expired)
})

test('an output that cannot be fetched now throws, so that it is retried', async () => {
  const vendor = await startRawServer(() => answerWith(500))
  await expect(fetchOutput(rules, { url: vendor.url, vendorUrl: vendor.url, signal })).rejects.toThrow('answered 500')
})

test('an output that breaks off, stalls or does not start throws BrokenOutput', async () => {
  const stalling = { ...rules, idleSeconds: 0.2 }
  const part = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbegin'
  const vendor = await startRawServer(({ path, socket }) => {
    if (path === '/silent') return undefined
    if (path === '/breaks') socket.end(part)
    return path === '/breaks' ? undefined : part
  })
  for (const path of ['/breaks', '/stalls', '/silent']) {
    const content = fetchOutput(stalling, { url: vendor.url + path, vendorUrl: vendor.url, signal }).then(contentOf)
    await expect(content).rejects.toBeInstanceOf(BrokenOutput)
  }
  expect(vendor.connections).toBe(3)
})

test('a slow reader does not count as a stalling vendor', async () => {
  const content = Buffer.alloc(4 * 1024 * 1024, 'x')
  const vendor = await startRawServer(() => answerWith(200, {}, content.toString()))
  const collected = await fetchOutput({ ...rules, idleSeconds: 1 }, { url: vendor.url, vendorUrl: vendor.url, signal })
  if (collected.state !== 'bytes') throw new Error(collected.state)
  // Unread bytes fill the buffers, so the vendor cannot send more.
  await expect.poll(() => collected.stream.readableLength > 0, { interval: 5 }).toBe(true)
  const begun = performance.now()
  await expect.poll(() => performance.now() - begun > 1500, { interval: 20, timeout: 5000 }).toBe(true)
  expect(await contentOf(collected)).toHaveLength(content.length)
})

test('an output that is too large is aborted at once', async () => {
  const vendor = await startRawServer(() => 'HTTP/1.1 200 OK\r\ncontent-length: 200000000\r\n\r\nbegin')

  const collected = await fetchOutput(rules, { url: vendor.url, vendorUrl: vendor.url, signal })

  const outcome = await contentOf(collected).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(UnfitOutput)
  expect(outcome).toMatchObject({ failure: failed.failure })
})
