import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { type Answered, type TestApp, testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aFileServer } from '../../support/http/fileServer.ts'
import { fileForm, mp4Of, traces } from '../../support/http/uploads.ts'
import { isoBox } from '../../support/media/isoBox.ts'

const { fileBytes } = limits
let app: TestApp
let key: string
let largest: Buffer
let tooLarge: Buffer

beforeAll(async () => {
  app = await testApp({ settings: { allowedPrivateAddresses: parseCidrs('127.0.0.1/32') } })
  key = (await aTeamWithKey(app.services)).value
  largest = await mp4Of(fileBytes)
  tooLarge = Buffer.concat([largest, Buffer.alloc(1)])
})
afterAll(() => app.close())

async function send(init: RequestInit & { duplex?: 'half' }): Promise<{ status: number; body: Answered['body'] }> {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` }
  const response = await fetch(`${app.origin}/api/v1/files`, { ...init, method: 'POST', headers })
  return { status: response.status, body: await response.json() }
}

const asJson = (body: object) => send({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

const ways: Record<string, (content: Buffer) => Promise<{ status: number; body: Answered['body'] }>> = {
  'a form': (content) => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(content)]))
    return send({ body })
  },
  'a form of chunks': (content) => {
    const { body, headers = {} } = fileForm(content)
    return send({ body: new Blob([body as Buffer<ArrayBuffer>]).stream(), headers, duplex: 'half' })
  },
  base64: (content) => asJson({ base64: content.toString('base64') }),
  'base64 with all slashes escaped': (content) => {
    const base64 = content.toString('base64').replaceAll('/', '\\u002f')
    return send({ body: `{"mimeType":"video/mp4","base64":"${base64}"}`, headers: { 'content-type': 'application/json' } })
  },
  'a link': async (content) => asJson({ url: (await aFileServer({ body: content })).url }),
  'a link without a length': async (content) => {
    const server = await aFileServer((_request, response) => {
      response.write(content.subarray(0, 1000))
      response.end(content.subarray(1000))
    })
    return asJson({ url: server.url })
  },
}

describe.each(Object.keys(ways))('by %s', (way) => {
  const sendBy = (content: Buffer) => ways[way]?.(content)

  test('26,214,400 bytes pass', async () => {
    const answered = await sendBy(largest)

    expect(answered?.status).toBe(201)
    expect(answered?.body).toMatchObject({ state: 'processing', type: 'video', sizeBytes: fileBytes, pollAfterSeconds: 2 })
    expect(await app.services.storage.size(`files/${answered?.body.fileId}`)).toBe(fileBytes)
  })

  test('what is full of half boundaries and slashes arrives byte for byte', async () => {
    const tricky = Buffer.alloc(5_000_000, Buffer.from('\r\n--a-boundar\r\n-\xff\xff\xff\r', 'latin1'))
    const content = Buffer.concat([largest.subarray(0, 1000), isoBox('free', tricky)])

    const answered = await sendBy(content)

    const kept = await app.services.storage.open(`files/${answered?.body.fileId}`)
    expect(Buffer.concat(await kept.toArray()).equals(content)).toBe(true)
  })

  test('one byte more is too large and leaves nothing', async () => {
    const before = await traces(app.services)

    const answered = await sendBy(tooLarge)

    expect(answered?.status).toBe(413)
    expect(answered?.body.error).toMatchObject({ code: 'payload_too_large', retryable: false, details: { maxBytes: fileBytes } })
    expect(await traces(app.services)).toEqual(before)
  })
})

test('a remote file larger than announced or than allowed is refused', async () => {
  const lying = await aFileServer((request) => {
    request.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
    request.socket.end(largest.subarray(0, 100_000))
  })
  const boasting = await aFileServer((_request, response) => void response.writeHead(200, { 'content-length': fileBytes + 1 }).write('x'))

  for (const { url } of [lying, boasting]) {
    expect(await asJson({ url })).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large', details: { maxBytes: fileBytes } } },
    })
  }
})

test('a body that announces too many bytes is refused before it is read', async () => {
  const socket = connect(app.port, '127.0.0.1')
  const lines = [
    'POST /api/v1/files HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 99999999',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)

  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()

  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
  expect(answer.toString()).toContain('"maxBytes":26214400')
})

test('a client that continues to send after its refusal gets the response and can reuse the connection', async () => {
  const socket = connect(app.port, '127.0.0.1')
  const { body, headers = {} } = fileForm(Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(20_000_000)]))
  const head = (length: number) =>
    [
      'POST /api/v1/files HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')
  let said = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })

  for (let round = 1; round <= 2; round += 1) {
    socket.write(head((body as Buffer).length))
    socket.write(body as Buffer)
    await expect.poll(() => said.match(/"code":"unsupported_file_format"/g)?.length).toBe(round)
  }

  socket.destroy()
})
