import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { parseCidrs } from '../../../src/network/addresses.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { aFileServer } from '../../support/http/fileServer.ts'
import { requireNoTraces } from '../../support/http/uploads.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const app = await testApp({ settings: { allowedPrivateAddresses: parseCidrs('127.0.0.1/32') } })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const png = await sampleFile('png')

async function refusal(url: string) {
  const { status, body } = await app.ask('POST /files', { key, body: { url } })
  return { status, ...(body.error as { code: string; retryable: boolean; details: Record<string, unknown> }) }
}

const failed = (details: object, retryable = false) => ({ status: 502, code: 'file_fetch_failed', retryable, details })

describe('a link that gives nothing', () => {
  /** Whatever is refused leaves nothing behind. */
  afterEach(() => requireNoTraces(app.services))

  test.each([
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'data:image/png;base64,AAAA',
    'https://user@example.com/a',
    'http://u:p@example.com/a',
    'no address',
  ])('%s is no link', async (url) => {
    expect(await refusal(url)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: { issues: [{ in: 'body', path: ['url'], code: 'bad_format' }] },
    })
  })

  test.each([
    'http://127.0.0.2/a',
    'http://10.0.0.1/a',
    'http://[::1]/a',
    'http://0x7f000002/a',
    'http://2130706434/a',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/a',
    'http://1.1.1.1:8080/a',
  ])('%s is not public', async (url) => expect(await refusal(url)).toMatchObject(failed({ cause: 'private_address' })))

  test('a name that nobody has cannot be resolved', async () => {
    expect(await refusal('http://nobody.invalid/a')).toMatchObject(failed({ cause: 'dns' }))
  })

  test('a host where nobody listens cannot be reached', async () => {
    const { port } = await aFileServer({ body: png })
    expect(await refusal(`http://127.0.0.1:${port === 1 ? 2 : 1}/a`)).toMatchObject(failed({ cause: 'connect' }))
  })

  test.each([
    [404, false],
    [403, false],
    [500, true],
    [503, true],
  ])('the status %i is told, and may come again: %s', async (status, retryable) => {
    const { url } = await aFileServer((_request, response) => response.writeHead(status).end('no'))
    expect(await refusal(url)).toMatchObject(failed({ cause: 'status', status }, retryable))
  })

  const answers: Record<string, [(request: IncomingMessage, response: ServerResponse) => void, object]> = {
    'one that is packed': [(_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(png), { cause: 'connect' }],
    'one that breaks off': [
      (_request, response) => {
        response.writeHead(200, { 'content-length': png.length })
        response.write(png.subarray(0, 100), () => response.destroy())
      },
      { cause: 'connect' },
    ],
    'one that never ends its redirects': [
      (request, response) => response.writeHead(302, { location: `${request.url}x` }).end(),
      { cause: 'redirect', status: 302 },
    ],
    'one that leads to a file of ours': [
      (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      { cause: 'redirect', status: 302 },
    ],
    'one that leads to user information': [
      (_request, response) => response.writeHead(302, { location: 'http://a:b@127.0.0.1/' }).end(),
      { cause: 'redirect', status: 302 },
    ],
    'one that leads inside': [
      (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      { cause: 'private_address', status: 302 },
    ],
  }
  test.each(Object.keys(answers))('%s is not followed', async (name) => {
    const [answer, details] = answers[name] ?? []
    const { url } = await aFileServer(answer ?? { body: png })
    expect(await refusal(url)).toMatchObject(failed(details ?? {}))
  })

  test('what lies there must be an accepted file, whatever it is called', async () => {
    const { url } = await aFileServer({ body: Buffer.from('<html>'), headers: { 'content-type': 'image/png' } })
    expect(await refusal(url)).toMatchObject({ status: 415, code: 'unsupported_file_format', details: { detected: 'text/html' } })
  })
})

test('three redirects are followed, and the requests contain no credentials', async () => {
  const { url, requests } = await aFileServer((request, response) => {
    if (request.url === '/a/file...') response.end(png)
    else response.writeHead(302, { location: `${request.url}.` }).end()
  })

  const { status, body } = await app.ask('POST /files', { key, body: { url } })

  expect([status, body]).toMatchObject([201, { mimeType: 'image/png' }])
  expect(requests).toHaveLength(4)
  for (const { headers } of requests)
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('the content type of the remote server is ignored', async () => {
  const { url } = await aFileServer({ body: png, headers: { 'content-type': 'text/html' } })
  expect((await app.ask('POST /files', { key, body: { url } })).body).toMatchObject({ mimeType: 'image/png' })
})
