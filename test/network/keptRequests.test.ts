import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeKeptRequests } from '../../src/network/keptRequests.ts'
import { NotSent } from '../../src/network/trustedRequest.ts'
import { freePort } from '../support/processes/freePort.ts'
import { answerWith, startRawServer } from './rawServer.ts'

const alive = () => AbortSignal.timeout(5000)

function getterOf(origin: string) {
  const send = makeKeptRequests(origin)
  return (path = '/', signal = alive()) => send({ url: new URL(origin + path), headers: { authorization: 'Key k' }, signal })
}

test('requests that follow each other share a connection', async () => {
  const server = await startRawServer(({ path }) => answerWith(200, { 'x-units': '3' }, path))
  const get = getterOf(server.url)

  for (const path of ['/status?logs=0', '/result']) {
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 200, headers: { 'x-units': '3' } })
    expect(await text(answer.body)).toBe(path)
    // The connection is free after the callbacks of the end.
    await setImmediate()
  }

  expect(server.connections).toBe(1)
  expect(server.requests[0]).toMatch(/^GET \/status\?logs=0 HTTP\/1\.1\r\n/)
  expect(server.requests[0]).toContain('authorization: Key k')
})

test('requests at the same time do not wait for each other', async () => {
  const server = await startRawServer(({ path }) => (path === '/slow' ? undefined : answerWith(200, {}, 'quick')))
  const get = getterOf(server.url)
  const leaving = new AbortController()

  const slow = get('/slow', leaving.signal)
  await expect.poll(() => server.requests.length).toBe(1)
  expect(await text((await get('/quick')).body)).toBe('quick')

  leaving.abort(new Error('enough'))
  await expect(slow).rejects.toThrow('enough')
})

test('a request on a connection that the peer has closed is sent once more over a new one', async () => {
  const server = await startRawServer(({ socket }) => {
    // The second request of a connection finds it closed.
    if (server.requests.length === 2) socket.resetAndDestroy()
    return server.requests.length === 2 ? undefined : answerWith(200, {}, 'there')
  })
  const get = getterOf(server.url)

  await text((await get()).body)
  await setImmediate()
  expect(await text((await get()).body)).toBe('there')

  expect(server.connections).toBe(2)
  expect(server.requests).toHaveLength(3)
})

test('a peer that never answers is asked twice at most', async () => {
  const server = await startRawServer(({ socket }) => void socket.resetAndDestroy())

  await expect(getterOf(server.url)()).rejects.toThrow(/closed|ECONNRESET|terminated/)

  expect(server.requests).toHaveLength(2)
})

test('a failed connection is reported as certainly not sent, and not tried again', async () => {
  await expect(getterOf(`http://127.0.0.1:${await freePort()}`)()).rejects.toThrow(NotSent)
  await expect(getterOf('http://nowhere.invalid')()).rejects.toThrow(NotSent)

  const closing = await startRawServer(() => undefined)
  closing.greeting = null
  await expect(getterOf(closing.url.replace('http:', 'https:'))()).rejects.toThrow(NotSent)
  expect(closing.connections).toBe(1)
})

test('a request that is aborted closes its connection and is not repeated', async () => {
  const server = await startRawServer(() => undefined)
  const leaving = new AbortController()

  const waiting = getterOf(server.url)('/', leaving.signal)
  await expect.poll(() => server.requests.length).toBe(1)
  leaving.abort(new Error('enough'))

  await expect(waiting).rejects.toThrow('enough')
  await Promise.all(server.closedConnections)
  expect(server.requests).toHaveLength(1)
})

test('a request that is already aborted is not sent', async () => {
  const server = await startRawServer(() => answerWith(200))

  await expect(getterOf(server.url)('/', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')

  expect(server.connections).toBe(0)
})

test('a request that is aborted while it connects does not wait for the connection', async () => {
  const deaf = createServer().listen(0, '127.0.0.1', 0)
  await once(deaf, 'listening')
  const leaving = new AbortController()
  const { port } = deaf.address() as { port: number }

  // A TLS handshake that the peer does not answer.
  const waiting = getterOf(`https://127.0.0.1:${port}`)('/', leaving.signal)
  await once(deaf, 'connection')
  leaving.abort(new Error('enough'))

  await expect(waiting).rejects.toThrow('enough')
  deaf.close()
})

test('a response that its reader leaves closes the connection', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'x'.repeat(100_000)))

  const answer = await getterOf(server.url)()
  answer.body.destroy()

  await Promise.all(server.closedConnections)
})

test('a connection without a request is closed, also when the peer would keep it for long', async () => {
  const server = await startRawServer(() => answerWith(200, { 'keep-alive': 'timeout=600' }, 'there'))
  const send = makeKeptRequests(server.url, { idleMs: 50 })

  await text((await send({ url: new URL(server.url), signal: alive() })).body)

  await Promise.all(server.closedConnections)
})
