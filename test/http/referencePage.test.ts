import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { referencePage } from '../../src/http/referencePage.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

const document = { openapi: '3.1.1', info: { title: 'Atelier' } }
const door = referencePage(document)
const app = Fastify()
await app.register(door.plugin)

async function pageOf(): Promise<{ html: string; policy: Map<string, string> }> {
  const { body, headers } = await app.inject('/docs')
  const directives = String(headers['content-security-policy']).split('; ')
  return { html: body, policy: new Map(directives.map((each) => [each.split(' ', 1)[0] ?? '', each.slice(each.indexOf(' ') + 1)])) }
}

test('the page runs no script but a file of ours and connects to nobody else, whatever its viewer would like to', async () => {
  const { policy } = await pageOf()
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
})

test('the page names no other host, and holds no script of its own', async () => {
  const { html } = await pageOf()
  expect(html).not.toMatch(/https?:\/\//)
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, content]) => ({ attributes, content }))
  expect(scripts).toEqual([
    { attributes: expect.stringContaining('type="application/json"'), content: '' },
    { attributes: ' src="/docs/viewer.js"', content: '' },
  ])
})

test('what the viewer would send or fetch elsewhere is off, and it tries requests on the origin of the page', async () => {
  const { html } = await pageOf()
  const configuration = /data-configuration="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
  expect(JSON.parse(configuration)).toMatchObject({
    servers: [{ url: '/api/v1' }],
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  })
})

test('everything that the page asks for is served by its own door, to a browser that has no key', async () => {
  const { html } = await pageOf()
  const asked = [...html.matchAll(/(?:src|data-url)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(asked.toSorted()).toEqual(['/docs/openapi.json', '/docs/viewer.js'])
  const answers = await Promise.all(asked.map((path) => app.inject(path)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(door.paths.map(({ path }) => path).toSorted()).toEqual(['/docs', ...asked].toSorted())
  expect((await app.inject('/docs/openapi.json')).json()).toEqual(document)
})

test('the viewer is a script, and comes compressed to whoever takes it so', async () => {
  const plain = await app.inject('/docs/viewer.js')
  const compressed = await app.inject({ url: '/docs/viewer.js', headers: { 'accept-encoding': 'br, gzip' } })
  expect(plain.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', vary: 'Accept-Encoding' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
})

test.for(['identity', 'gzip;q=0', 'gzip; q=0.0', 'br', 'gzippy', ''])('accept-encoding "%s" gets it as it is', async (encoding) => {
  const { headers } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } })
  expect(headers).not.toHaveProperty('content-encoding')
})

test.for(['gzip', 'GZIP', 'deflate, gzip;q=0.5', ' gzip ; q=1 '])('accept-encoding "%s" gets it compressed', async (encoding) => {
  const { headers } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } })
  expect(headers['content-encoding']).toBe('gzip')
})

test('whoever has a file already is told so, for the very representation that it has', async () => {
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'accept-encoding': encoding }
    const first = await app.inject({ url: '/docs/openapi.json', headers })
    const again = await app.inject({
      url: '/docs/openapi.json',
      headers: { ...headers, 'if-none-match': `"other", W/${first.headers.etag}` },
    })
    expect(again).toMatchObject({ statusCode: 304, body: '' })
  }
  const { headers } = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip' } })
  const other = await app.inject({ url: '/docs', headers: { 'if-none-match': headers.etag } })
  expect(other.statusCode).toBe(200)
})

test.for(door.paths)('HEAD of $path tells what GET would, without the content', async ({ path, methods }) => {
  const got = await app.inject(path)
  const head = await app.inject({ method: 'HEAD', url: path })
  expect(methods).toEqual(['GET', 'HEAD'])
  expect(head).toMatchObject({ statusCode: 200, body: '' })
  expect({ ...head.headers, date: null }).toEqual({ ...got.headers, date: null })
})

test('the page stands on the public listener, beside a description that still needs a key', async () => {
  const service = await testApp()
  onTestFinished(service.close)
  expect(await service.ask('GET //docs')).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': expect.any(String) } })
  expect(await service.ask('POST //docs')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  expect(await service.ask('GET //docs/')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect(await service.ask('GET /openapi.json')).toMatchObject({ status: 401 })
  const { value: key } = await aTeamWithKey(service.services)
  const shown = await service.ask('GET //docs/openapi.json')
  expect(shown.body).toEqual((await service.ask('GET /openapi.json', { key })).body)
})
