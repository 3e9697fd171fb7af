import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

test('a body of exactly the limit passes and one byte more fails, announced or not', async () => {
  const server = await startRawServer(({ path, socket }) => {
    const body = 'x'.repeat(Number(path.slice(2)))
    if (path.startsWith('/a')) return answerWith(200, {}, body)
    if (path.startsWith('/c'))
      return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`)
    return undefined
  })

  for (const way of ['a', 'c', 'e']) {
    const request = { ...fileLink, bodyBytesMax: 200_000 }
    expect((await fetchText({ ...request, url: `${server.url}/${way}200000` })).text).toHaveLength(200_000)
    expect(await failureOf(fetchText({ ...request, url: `${server.url}/${way}200001` }))).toMatchObject({
      kind: 'too_large',
      message: 'answer is larger than 200000 bytes',
    })
  }
})

test('a body announced as too large fails before a byte of it is passed on', async () => {
  const server = await startRawServer(() => 'HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\nfirst bytes')
  const passed: Buffer[] = []

  const answer = await guardedFetch({ ...fileLink, url: server.url })
  const failure = await failureOf(
    pipeline(
      answer.body,
      new PassThrough().on('data', (chunk: Buffer) => passed.push(chunk)),
    ),
  )

  expect(failure.kind).toBe('too_large')
  expect(passed).toEqual([])
  await Promise.all(server.closedConnections)
})

test('an endless body fails at the limit', async () => {
  const server = await startRawServer(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const block = Buffer.alloc(65_536)
    const pour = () => {
      while (socket.write(block));
    }
    socket.on('drain', pour)
    pour()
    return undefined
  })

  const failure = await failureOf(fetchText({ ...fileLink, url: server.url }))

  expect(failure.kind).toBe('too_large')
  await Promise.all(server.closedConnections)
})

test('a body that goes far beyond its announced length fails as too large', async () => {
  const server = await startRawServer(() => `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${'x'.repeat(50_000)}`)

  expect(await failureOf(fetchText({ ...fileLink, url: server.url }))).toMatchObject({
    kind: 'too_large',
    message: 'more than the announced 10 bytes',
  })
})

test.each([
  ['of an announced length', 'content-length: 100\r\n\r\nten bytes.', 'answer broke off after 10 of 100 bytes'],
  ['in chunks', 'transfer-encoding: chunked\r\n\r\na\r\nten bytes.\r\n', 'answer broke off after 10 bytes'],
  ['in chunks, within one', 'transfer-encoding: chunked\r\n\r\nff\r\nten bytes.', 'answer broke off after 10 bytes'],
  ['in chunks that are none', 'transfer-encoding: chunked\r\n\r\na\r\nten bytes.\r\nhello\r\n', 'answer broke off after 10 bytes'],
])('a body %s that stops early fails as truncated', async (_what, rest, message) => {
  const server = await startRawServer(({ socket }) => void socket.end(`HTTP/1.1 200 OK\r\n${rest}`))

  expect(await failureOf(fetchText({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'truncated', message })
})

test('a body without a length whose connection is reset fails as truncated', async () => {
  const server = await startRawServer(({ socket }) => void socket.write('HTTP/1.1 200 OK\r\n\r\nten bytes.'))

  const answer = await guardedFetch({ ...fileLink, url: server.url })
  const reading = answer.body.toArray()
  server.cut()

  expect(await failureOf(reading)).toMatchObject({ kind: 'truncated' })
})

test.each([
  'content-encoding: gzip',
  'Content-Encoding: BR',
  'content-encoding: identity, gzip',
  'content-encoding: aes128gcm',
  'transfer-encoding: gzip, chunked',
])('an answer with %s is not read', async (header) => {
  const server = await startRawServer(({ socket }) => void socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n2\r\nab\r\n0\r\n\r\n`))

  expect(await failureOf(fetchText({ ...fileLink, url: server.url }))).toMatchObject({ kind: 'encoding' })
})

test('a response with the coding identity is read', async () => {
  const server = await startRawServer(() => answerWith(200, { 'content-encoding': 'Identity' }, 'plain'))

  expect((await fetchText({ ...fileLink, url: server.url })).text).toBe('plain')
})

test('the status of a delivery is known even when its response body cannot be read', async () => {
  const server = await startRawServer(() => answerWith(200, { 'content-encoding': 'gzip' }, 'x'))

  const answer = await guardedFetch({ ...webhook, url: server.url })

  expect(answer).toMatchObject({ status: 200, failure: null })
  expect(await failureOf(answer.body.toArray())).toMatchObject({ kind: 'encoding' })
})

test('a reader that stops early leaves no connection behind and gets no error', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'x'.repeat(500_000)))

  const answer = await guardedFetch({ ...fileLink, url: server.url })
  for await (const chunk of answer.body) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }

  await Promise.all(server.closedConnections)
})

test('without a reader the connection closes at the deadline, and a late reader gets the failure', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'x'.repeat(500_000)))

  const answer = await guardedFetch({ ...fileLink, url: server.url, deadlineSeconds: 0.4 })
  await Promise.all(server.closedConnections)

  expect(await failureOf(answer.body.toArray())).toMatchObject({ kind: 'timeout' })
  expect(await failureOf(pipeline(answer.body, new PassThrough()))).toMatchObject({ kind: 'timeout' })
})

test('a slow reader gets every byte', async () => {
  const body = Array.from({ length: 40_000 }, (_, index) => `${index};`).join('')
  const server = await startRawServer(() => answerWith(200, {}, body))
  let read = ''

  const answer = await guardedFetch({ ...fileLink, url: server.url })
  await pipeline(
    answer.body,
    new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        read += chunk.toString()
        setImmediate(done)
      },
    }),
  )

  expect(read).toBe(body)
})
