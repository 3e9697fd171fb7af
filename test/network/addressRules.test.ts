import { expect, test } from 'vitest'
import { checkUrl } from '../../src/network/checkUrl.ts'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

const publicName = { resolve: async () => ['93.184.216.34'] }

test.each([
  ['', 'syntax'],
  ['files.test/a.png', 'syntax'],
  ['/a.png', 'syntax'],
  ['http://', 'syntax'],
  ['http://999.1.1.1/', 'syntax'],
  ['http://[fe80::1%25eth0]/', 'syntax'],
  ['http://127.0.0.1%00.files.test/', 'syntax'],
  ['http://files.test:99999/', 'syntax'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://files.test/', 'scheme'],
  ['gopher://127.0.0.1:6379/_', 'scheme'],
  ['data:image/png;base64,AAAA', 'scheme'],
  ['blob:https://files.test/1', 'scheme'],
  ['javascript:1', 'scheme'],
  ['ws://files.test/', 'scheme'],
  ['unix:/var/run/docker.sock', 'scheme'],
  ['http://user@files.test/', 'user_information'],
  ['http://user:secret@files.test/', 'user_information'],
  ['http://:secret@files.test/', 'user_information'],
  ['https://files.test@127.0.0.1/', 'user_information'],
  ['https:\\\\user@files.test\\', 'user_information'],
])('%j is refused for its %s before any look-up', async (url, problem) => {
  let lookUps = 0
  const resolve = async () => {
    lookUps += 1
    return ['93.184.216.34']
  }

  expect(await failureOf(guardedFetch({ ...fileLink, url, resolve }))).toMatchObject({ kind: 'bad_url', problem })
  expect(await failureOf(checkUrl(url, { ...webhook, resolve }))).toMatchObject({ kind: 'bad_url', problem })
  expect(lookUps).toBe(0)
})

test.each([
  'http://files.test:8080/',
  'https://files.test:8443/',
  'http://files.test:22/',
  'http://93.184.216.34:81/',
  'https://files.test:0/',
])('%s is refused for its port', async (url) => {
  expect(await failureOf(guardedFetch({ ...fileLink, ...publicName, url }))).toMatchObject({ kind: 'bad_url', problem: 'port' })
  expect(await failureOf(checkUrl(url, { ...fileLink, ...publicName }))).toMatchObject({ kind: 'bad_url', problem: 'port' })
})

test.each(['http://files.test/', 'https://files.test/', 'http://files.test:80/', 'https://files.test:80/', 'http://files.test:443/'])(
  '%s passes as a file link',
  async (url) => {
    expect((await checkUrl(url, { ...fileLink, ...publicName })).addresses).toEqual(['93.184.216.34'])
  },
)

test('with any port allowed, a public host may use one, and a private host still may not', async () => {
  const rules = { ...webhook, ports: 'any', allowedPrivate: [] } as const

  expect((await checkUrl('https://hooks.test:8443/', { ...rules, ...publicName })).url.port).toBe('8443')
  expect(await failureOf(checkUrl('https://127.0.0.1:8443/', rules))).toMatchObject({ kind: 'private_address' })
})

test('an address that is both private and at another port is refused as private', async () => {
  expect(await failureOf(checkUrl('http://10.0.0.1:8080/', fileLink))).toMatchObject({ kind: 'private_address' })
})

test('a webhook over http is refused for public and private hosts, and accepted for an allowed one', async () => {
  const receiver = await startRawServer(() => answerWith(204))

  expect(await failureOf(checkUrl('http://hooks.test/', { ...webhook, ...publicName }))).toMatchObject({
    kind: 'bad_url',
    problem: 'scheme',
  })
  expect(await failureOf(checkUrl('http://10.0.0.1/', webhook))).toMatchObject({ kind: 'private_address' })
  expect((await checkUrl(`${receiver.url}/hook`, webhook)).addresses).toEqual(['127.0.0.1'])
  expect((await fetchText({ ...webhook, url: `${receiver.url}/hook` })).answer.status).toBe(204)
})

test('a host with an allowed and a public address does not benefit from the exception', async () => {
  const resolve = async () => ['127.0.0.1', '93.184.216.34']

  expect(await failureOf(checkUrl('http://hooks.test/', { ...webhook, resolve }))).toMatchObject({ kind: 'bad_url', problem: 'scheme' })
  expect(await failureOf(checkUrl('http://files.test:8080/', { ...fileLink, resolve }))).toMatchObject({ kind: 'bad_url', problem: 'port' })
})

test('checking a URL opens no connection', async () => {
  const receiver = await startRawServer(() => answerWith(200), { everywhere: true })

  await checkUrl(receiver.url, webhook)

  expect(receiver.connections).toBe(0)
})

test('checking ends at the deadline when the name server is silent', async () => {
  const silent = { ...webhook, deadlineSeconds: 0.05, resolve: () => new Promise<string[]>(() => {}) }

  expect(await failureOf(checkUrl('https://hooks.test/', silent))).toMatchObject({
    kind: 'timeout',
    message: 'name not resolved within 0.05 s',
  })
})
