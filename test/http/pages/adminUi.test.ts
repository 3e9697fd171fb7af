import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { adminUi } from '../../../src/http/pages/adminUi.ts'
import { errorHandler } from '../../../src/transport/translateError.ts'
import { testApp } from '../../support/app.ts'

const { ask, services, close } = await testApp({ undescribed: true })
afterAll(close)

const assets = await readdir(join(import.meta.dirname, '../../../dist/admin-ui/assets'))
const script = assets.find((name) => /^first-.*\.js$/.test(name)) ?? ''

test('every path below /integrations returns the page, which is revalidated each time', async () => {
  const pages = await Promise.all(
    ['', '/sign-in', '/team_1/keys?search=a', '/no/such/page'].map((path) => ask(`GET //integrations${path}`)),
  )
  for (const page of pages) {
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } })
    expect(page.text).toBe(pages[0]?.text)
  }
})

test('the page runs only our own script files, and contacts no other host', async () => {
  const { text, headers } = await ask('GET //integrations')
  const directives = String(headers['content-security-policy']).split('; ')
  const policy = Object.fromEntries(directives.map((each) => [each.split(' ', 1)[0], each.slice(each.indexOf(' ') + 1)]))
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    'font-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
  })
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': /camera=\(\)/,
  })
  expect(text).not.toMatch(/https?:\/\//)
  expect(
    [...text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].filter(
      ([, attributes = '', inline]) => inline !== '' || !attributes.includes('src='),
    ),
  ).toEqual([])
})

test('a cached page of this release gets 304', async () => {
  const { headers } = await ask('GET //integrations')
  const again = await ask('GET //integrations/team_1/keys', { headers: { 'if-none-match': `"old", ${headers['etag']}` } })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(await ask('HEAD //integrations')).toMatchObject({ status: 200, text: '' })
})

test('an asset has a content hash in its name, is cached forever, and is compressed', async () => {
  const plain = await ask(`GET //integrations/assets/${script}`)
  expect(plain).toMatchObject({
    status: 200,
    headers: {
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  })
  for (const encoding of ['br', 'gzip']) {
    const packed = await ask(`HEAD //integrations/assets/${script}`, { headers: { 'accept-encoding': encoding } })
    expect(packed).toMatchObject({ status: 200, headers: { 'content-encoding': encoding } })
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 2)
  }
})

test('a cached asset gets 304', async () => {
  const { headers } = await ask(`GET //integrations/assets/${script}`, { headers: { 'accept-encoding': 'br' } })
  const again = { 'accept-encoding': 'br', 'if-none-match': String(headers['etag']) }
  expect(await ask(`GET //integrations/assets/${script}`, { headers: again })).toMatchObject({ status: 304, text: '' })
})

test('assets are served from memory, also after a new build', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  await mkdir(join(folder, 'assets'))
  const content = 'x'.repeat(600_000)
  await writeFile(join(folder, 'index.html'), 'page')
  await writeFile(join(folder, 'assets/index-a.js'), content)
  const app = Fastify()
  await app.register(adminUi({ folder, count: async () => undefined, countAsset: () => undefined }).plugin)
  await app.ready()
  await rm(folder, { recursive: true })
  for (const [path, text] of Object.entries({ '/integrations': 'page', '/integrations/assets/index-a.js': content })) {
    const answer = await app.inject(path)
    expect({ status: answer.statusCode, isWhole: answer.payload === text }).toEqual({ status: 200, isWhole: true })
  }
})

test('assets count by address: many first visits a minute pass, and a flood is refused', async () => {
  const limited = await testApp({ undescribed: true, settings: { requestsPerMinute: 20 } })
  onTestFinished(limited.close)
  const statusOf = async () => (await limited.ask(`GET //integrations/assets/${script}`)).status
  const statuses: number[] = []
  for (let n = 0; n < 201; n += 1) statuses.push(await statusOf())
  expect(statuses).toEqual([...Array(200).fill(200), 429])
  expect((await limited.ask('GET //integrations')).status).toBe(200)
})

test.each([
  'index-old.js',
  '..%2findex.html',
  '%2e%2e/%2e%2e/package.json',
  '%00',
  '%5c..%5cindex.html',
  '.gitignore',
  'a/b.js',
  `${'a'.repeat(256)}.js`,
])('assets/%s is neither an asset nor a page', async (name) => {
  const { status, body, headers } = await ask(`GET //integrations/assets/${name}`)
  expect({ status, code: body?.error.code }).toEqual({ status: 404, code: 'not_found' })
  expect(headers).toHaveProperty('x-ratelimit-remaining')
})

test.each([{ range: 'bytes=9-1' }, { range: 'bytes=0-1' }])('an asset is sent whole, for any range: %j', async (headers) => {
  const { status, text } = await ask(`GET //integrations/assets/${script}`, { headers })
  expect({ status, isWhole: text.length > 1000 }).toEqual({ status: 200, isWhole: true })
})

test.each(['/integrations/', '/integrations//team_1', '/integrations/team_1/', '/Integrations'])('%s is an unknown route', async (path) => {
  expect(await ask(`GET /${path}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
})

test('other methods are refused with the allowed ones', async () => {
  expect(await ask('POST //integrations/team_1/keys', { body: {} })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})

test('without a build, the admin UI is unavailable, and everything else is served', async () => {
  const app = Fastify()
  app.setErrorHandler(errorHandler(services))
  await app.register(
    adminUi({ folder: await mkdtemp(join(tmpdir(), 'no-bundle-')), count: async () => undefined, countAsset: () => undefined }).plugin,
  )
  expect(await app.inject('/integrations')).toMatchObject({ statusCode: 503 })
})
