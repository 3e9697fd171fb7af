import { expect, test } from 'vitest'
import { parseCidrs } from '../../src/network/addresses.ts'
import { checkUrl } from '../../src/network/checkUrl.ts'
import { guardedFetch } from '../../src/network/guardedFetch.ts'
import { failureOf, fetchText, fileLink, webhook } from './guardedRequests.ts'
import { answerWith, startRawServer } from './rawServer.ts'

const privateHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0x7f000001',
    '0X7F000001',
    '0x7f.1',
    '0x7f.0.0.0x1',
    '2130706433',
    '017700000001',
  ],
  ...['0177.0.0.1', '0177.0.0.01', '00000177.1', '0', '0.0.0.0', '0x0', '00', '0.0', '127.0.0.1.', '2130706433.', '127.0.0.1%2e'],
  ...[
    '１２７.０.０.１',
    '１２７。０。０。１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '127．0．0．1',
    '%31%32%37.0.0.1',
    '%6c%6fcalhost',
    '0ₓ7f000001',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'files.localhost', 'ｌｏｃａｌｈｏｓｔ', 'lo\u00adcalhost', 'lo\tcalhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...[
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::FFFF:7F00:0001]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
  ],
  ...[
    '[::ffff:169.254.169.254]',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
  ],
  ...['10.0.0.1', '10.1', '172.16.0.1', '192.168.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518'],
  ...[
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '4294967295',
    '203.0.113.7',
  ],
]

test('no notation of a non-public address is ever connected to', async () => {
  const listener = await startRawServer(() => answerWith(200), { everywhere: true })

  expect(privateHosts.length).toBeGreaterThanOrEqual(60)
  for (const host of privateHosts) {
    const request = { ...fileLink, url: `http://${host}:${listener.port}/`, allowedPrivate: [] }
    expect([host, (await failureOf(guardedFetch(request))).kind]).toEqual([host, 'private_address'])
    expect([host, (await failureOf(guardedFetch({ ...request, ports: 'any' }))).kind]).toEqual([host, 'private_address'])
    expect([host, (await failureOf(checkUrl(request.url, request))).kind]).toEqual([host, 'private_address'])
  }

  expect(listener.connections).toBe(0)
})

const privateBesideLoopback = [
  ...[
    '127.0.0.2',
    '127.2',
    '2130706434',
    '0x7f000002',
    '0',
    '１２７.０.０.２',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.2]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['10.0.0.1', '169.254.169.254', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]', '[fe80::1]', '100.100.100.200', '168.63.129.16'],
]

test.each(privateBesideLoopback)('a redirect to %s, which is neither public nor allowed, is not followed', async (host) => {
  const listener = await startRawServer(() => answerWith(200), { everywhere: true })
  const first = await startRawServer(() => answerWith(302, { location: `http://${host}:${listener.port}/` }))

  const failure = await failureOf(guardedFetch({ ...fileLink, url: first.url }))

  expect(failure).toMatchObject({ kind: 'private_address', message: 'redirect to a private address', status: 302 })
  expect(first.connections).toBe(1)
  expect(listener.connections).toBe(0)
})

test.each([
  ['only a private answer', ['10.0.0.1']],
  ['a private answer after a public one', ['93.184.216.34', '127.0.0.2']],
  ['a private answer before a public one', ['::1', '2606:4700::1111']],
  ['a private answer after an allowed one', ['127.0.0.1', '127.0.0.2']],
  ['a mapped private answer', ['::ffff:10.0.0.1']],
  ['an answer that is not an address', ['127.0.0.1', 'localhost']],
  ['an answer in a notation that only some parsers accept', ['0177.0.0.1']],
])('a name with %s is refused and nothing is connected to', async (_what, addresses) => {
  const listener = await startRawServer(() => answerWith(200), { everywhere: true })
  const request = { ...fileLink, url: `http://files.test:${listener.port}/`, resolve: async () => addresses }

  expect(await failureOf(guardedFetch(request))).toMatchObject({ kind: 'private_address', message: 'address is private now' })
  expect(await failureOf(checkUrl(request.url, request))).toMatchObject({ kind: 'private_address', message: 'address is private' })
  expect(listener.connections).toBe(0)
})

test('a name that was public when it was saved and is private at the attempt is refused', async () => {
  const listener = await startRawServer(() => answerWith(200), { everywhere: true })
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const request = { ...webhook, url: 'https://hooks.test/', allowedPrivate: [], resolve: async () => answers.shift() ?? [] }

  const saved = await checkUrl(request.url, request)
  const failure = await failureOf(guardedFetch({ ...request, url: `https://hooks.test:${listener.port}/` }))

  expect(saved.addresses).toEqual(['93.184.216.34'])
  expect(failure).toMatchObject({ kind: 'private_address', message: 'address is private now' })
  expect(listener.connections).toBe(0)
})

test('a name is resolved once and the connection goes to that address, however the name resolves later', async () => {
  const meant = await startRawServer(() => answerWith(200, {}, 'meant'))
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  let lookUps = 0
  const resolve = async () => {
    lookUps += 1
    return answers.shift() ?? []
  }

  const { text } = await fetchText({ ...fileLink, url: `http://no-such-name.invalid:${meant.port}/`, resolve })

  expect(text).toBe('meant')
  expect(lookUps).toBe(1)
  expect(meant.requests[0]).toContain(`host: no-such-name.invalid:${meant.port}\r\n`)
})

test('a redirect to the same name resolves and checks it again', async () => {
  const server = await startRawServer(() => answerWith(302, { location: '/again' }))
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const resolve = async () => answers.shift() ?? []

  const failure = await failureOf(guardedFetch({ ...fileLink, url: `http://rebinding.test:${server.port}/`, resolve }))

  expect(failure.kind).toBe('private_address')
  expect(server.connections).toBe(1)
})

test('when the first of several checked addresses does not answer, the next one is tried', async () => {
  const server = await startRawServer(() => answerWith(200, {}, 'here'))
  const request = { ...fileLink, allowedPrivate: parseCidrs('127.0.0.0/8'), resolve: async () => ['127.0.0.2', '127.0.0.1'] }

  const { text } = await fetchText({ ...request, url: `http://files.test:${server.port}/` })

  expect(text).toBe('here')
})

test('a name without an answer fails as dns', async () => {
  const noAnswer = { ...fileLink, url: 'http://files.test/', resolve: async () => [] }
  const unknown = { ...noAnswer, resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) }
  const silent = { ...noAnswer, resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })) }

  expect(await failureOf(guardedFetch(noAnswer))).toMatchObject({ kind: 'dns', message: 'name does not resolve' })
  expect(await failureOf(checkUrl(unknown.url, unknown))).toMatchObject({ kind: 'dns', message: 'name does not resolve' })
  expect(await failureOf(guardedFetch(silent))).toMatchObject({ kind: 'dns', message: 'name server does not answer' })
})

test("the system's resolver is the default", async () => {
  const judged = await checkUrl('http://localhost/', { ...fileLink, allowedPrivate: parseCidrs('127.0.0.0/8 ::1') })

  expect(judged.addresses).toContain('127.0.0.1')
})
