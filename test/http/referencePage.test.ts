import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { docsRoutes } from '../../src/http/docs/docsRoutes.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

const document = {
  openapi: '3.1.1',
  info: { title: 'Atelier' },
  paths: { '/account': { parameters: {}, get: { summary: 'What <may> be spent' } } },
}
const count = async () => undefined
const publicUrl = 'https://studio.example'
const door = docsRoutes(document, { open: true, publicUrl, count })
const app = Fastify()
await app.register(door.plugin)

async function pageOf(): Promise<{ html: string; policy: Map<string, string> }> {
  const { body, headers } = await app.inject('/docs')
  const directives = String(headers['content-security-policy']).split('; ')
  return { html: body, policy: new Map(directives.map((each) => [each.split(' ', 1)[0] ?? '', each.slice(each.indexOf(' ') + 1)])) }
}

test('the page runs only our own script file and connects only to this origin', async () => {
  const { policy } = await pageOf()
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
})

test('the page names no other host, and contains no inline script', async () => {
  const { html } = await pageOf()
  expect(html).not.toMatch(/https?:\/\//)
  const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, attributes, content]) => ({ attributes, content }))
  expect(scripts).toEqual([
    { attributes: ' type="module" src="/docs/bar.js"', content: '' },
    { attributes: ' type="module" src="/docs/samples.js"', content: '' },
    { attributes: ' type="module" src="/docs/start.js"', content: '' },
  ])
})

test('the page lists the operations, and loads the viewer only when the reader opens it', async () => {
  const { html } = await pageOf()
  expect(html).toContain('<p><code>GET /account</code> What &lt;may&gt; be spent</p>')
  expect(html).not.toMatch(/ (?:src|href)="[^"]*viewer\.js/)
  expect(html).toContain('data-viewer="/docs/viewer.js"')
})

test('features of the viewer that contact other hosts are off, and it tries requests on the origin of the page', async () => {
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

test('every file of the page is served without a key', async () => {
  const { html } = await pageOf()
  const asked = [...html.matchAll(/(?:src|data-url|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(asked).toEqual(expect.arrayContaining(['/docs/openapi.json', '/docs/start.js']))
  const answers = await Promise.all(asked.map((path) => app.inject(path)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(door.paths.map(({ path }) => path)).toEqual(expect.arrayContaining(asked))
  expect((await app.inject('/docs/openapi.json')).json()).toEqual(document)
})

test('the viewer is a script, and compressed for browsers that accept it', async () => {
  const plain = await app.inject('/docs/viewer.js')
  const compressed = await app.inject({ url: '/docs/viewer.js', headers: { 'accept-encoding': 'br, gzip' } })
  expect(plain.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', vary: 'Accept-Encoding' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
})

test.for(['identity', 'gzip;q=0', 'gzip; q=0.0', 'br', 'gzippy', ''])('accept-encoding "%s" gets it uncompressed', async (encoding) => {
  const { headers } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } })
  expect(headers).not.toHaveProperty('content-encoding')
})

test.for(['gzip', 'GZIP', 'deflate, gzip;q=0.5', ' gzip ; q=1 '])('accept-encoding "%s" gets it compressed', async (encoding) => {
  const { headers } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } })
  expect(headers['content-encoding']).toBe('gzip')
})

test('a cached file gets 304, separately for each content coding', async () => {
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

test.for(door.paths)('HEAD of $path has the headers of GET, without the content', async ({ path, methods }) => {
  const got = await app.inject(path)
  const head = await app.inject({ method: 'HEAD', url: path })
  expect(methods).toEqual(['GET', 'HEAD'])
  expect(head).toMatchObject({ statusCode: 200, body: '' })
  expect({ ...head.headers, date: null }).toEqual({ ...got.headers, date: null })
})

test('without an embedded database the page asks for a key, and the OpenAPI document is not public', async () => {
  const closed = Fastify()
  const { plugin, paths } = docsRoutes(document, { open: false, publicUrl, count })
  await closed.register(plugin)
  const { body: html, headers } = await closed.inject('/docs')
  expect(html).toContain('type="password"')
  expect(html).not.toMatch(/https?:\/\/|(?:src|href)="[^"]*viewer\.js|<script>|<script [^>]*>[^<]/)
  expect(headers['content-security-policy']).toMatch(/script-src 'self';.*connect-src 'self'/)
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.map(({ path }) => path)).toEqual(expect.arrayContaining(named))
  expect((await closed.inject('/docs/openapi.json')).statusCode).toBe(404)
  const start = (await closed.inject('/docs/start.js')).body
  expect(html).toContain('data-url="/api/v1/openapi.json"')
  expect(start).not.toMatch(/localStorage|sessionStorage|cookie|indexedDB/i)
})

type Sent = { url: string; options: { headers: Record<string, string>; credentials: string } }

/** Runs the script of the closed page with a minimal browser environment. */
async function submitting(token: string, answer: { ok: boolean; content: unknown }) {
  const closed = Fastify()
  await closed.register(docsRoutes(document, { open: false, publicUrl, count }).plugin)
  const sent: Sent[] = []
  const shown: unknown[][] = []
  const submit: { listener?: (event: object) => void; removed: boolean } = { removed: false }
  const elements: Record<string, object> = {
    '#ask': {
      addEventListener: (_name: string, listener: typeof submit.listener) => void Object.assign(submit, { listener }),
      remove: () => void Object.assign(submit, { removed: true }),
      dataset: {
        viewer: '/docs/viewer.js',
        samples: '/docs/samples.json',
        configuration: '{"persistAuth":false}',
        url: '/api/v1/openapi.json',
      },
    },
    '#refusal': { textContent: '' },
    '#key': { value: ` ${token} ` },
  }
  const fetched = async (url: string, options: Sent['options']) => {
    sent.push({ url, options })
    return { ok: answer.ok, json: async () => answer.content }
  }
  runInNewContext((await closed.inject('/docs/start.js')).body, {
    document: {
      querySelector: (selector: string) => elements[selector],
      createElement: () => ({ addEventListener: (name: string, loaded: () => void) => name === 'load' && loaded() }),
      head: { append: () => undefined },
    },
    fetch: fetched,
    Scalar: { createApiReference: (...given: unknown[]) => void shown.push(given) },
  })
  submit.listener?.({ preventDefault: () => undefined })
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  return { sent, shown, elements, removed: submit.removed }
}

test('the typed key loads the OpenAPI document, is used to try requests, and is stored nowhere', async () => {
  const { sent, shown, elements, removed } = await submitting('atl_key', { ok: true, content: document })
  expect(sent).toMatchObject([
    { url: '/api/v1/openapi.json', options: { headers: { Authorization: 'Bearer atl_key' }, credentials: 'omit' } },
    { url: '/docs/samples.json', options: { credentials: 'omit' } },
  ])
  expect(sent[1]?.options).not.toHaveProperty('headers')
  const authentication = { preferredSecurityScheme: 'key', securitySchemes: { key: { token: 'atl_key' } } }
  expect(JSON.parse(JSON.stringify(shown))).toEqual([['#reference', { persistAuth: false, content: document, authentication }]])
  expect(elements['#key']).toEqual({ value: '' })
  expect(removed).toBe(true)
})

test('a refused key shows the reason, and the form stays', async () => {
  const refusal = { error: { message: 'The key lacks the required scope.' } }
  const { shown, elements, removed } = await submitting('atl_key', { ok: false, content: refusal })
  expect({ shown, removed }).toEqual({ shown: [], removed: false })
  expect(elements['#refusal']).toEqual({ textContent: 'The key lacks the required scope.' })
})

test('the page is on the public listener, while the OpenAPI document needs a key, and every file counts', async () => {
  const service = await testApp({ settings: { requestsPerMinute: 6 } })
  onTestFinished(service.close)
  expect(await service.ask('GET //docs')).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '5' } })
  expect(await service.ask('POST //docs')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  expect(await service.ask('GET //docs/')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect(await service.ask('GET //docs/openapi.json')).toMatchObject({ status: 404 })
  expect(await service.ask('GET /openapi.json')).toMatchObject({ status: 401, headers: { 'x-ratelimit-remaining': '1' } })
  expect(await service.ask('GET //docs/start.js')).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '0' } })
  for (const path of ['docs', 'docs/start.js', 'docs/viewer.js']) {
    expect(await service.ask(`GET //${path}`)).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  }
  const { value: key } = await aTeamWithKey(service.services)
  expect((await service.ask('GET /openapi.json', { key })).body).toMatchObject({ openapi: expect.any(String) })
})
