import { expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { exchange } from '../support/http/rawSocket.ts'

async function anApp(trustedProxies: string, requestsPerMinute = 3): Promise<TestApp> {
  const app = await testApp({ trustedProxies, settings: { requestsPerMinute } })
  onTestFinished(app.close)
  return app
}

/** The remaining requests of a client with these headers, over a real connection from 127.0.0.1. */
async function remaining({ port }: TestApp, forwarded: string): Promise<string | undefined> {
  const { answers } = await exchange(port, `GET /api/v1/account HTTP/1.1\r\nHost: atelier.test\r\n${forwarded}\r\n`)
  expect([401, 429]).toContain(answers[0]?.status)
  return answers[0]?.headers['x-ratelimit-remaining']
}

const from = (addresses: string) => `X-Forwarded-For: ${addresses}\r\n`

test('without trusted proxies X-Forwarded-For is ignored', async () => {
  const app = await anApp('')
  expect(await remaining(app, from('192.0.2.1'))).toBe('2')
  expect(await remaining(app, from('192.0.2.2'))).toBe('1')
})

test('behind a trusted proxy each client counts separately, IPv6 by /64', async () => {
  const app = await anApp('127.0.0.1,10.0.0.0/8')
  expect(await remaining(app, from('192.0.2.1'))).toBe('2')
  expect(await remaining(app, from('192.0.2.2'))).toBe('2')
  expect(await remaining(app, from('192.0.2.1, 10.0.0.5'))).toBe('1')
  expect(await remaining(app, from('2001:db8:1:2::1'))).toBe('2')
  expect(await remaining(app, from('2001:db8:1:2:ffff::9'))).toBe('1')
  expect(await remaining(app, from('2001:db8:1:3::1'))).toBe('2')
})

test('entries that a client adds to X-Forwarded-For are ignored', async () => {
  const app = await anApp('127.0.0.1')
  expect(await remaining(app, from('198.51.100.1, 192.0.2.1'))).toBe('2')
  expect(await remaining(app, from('198.51.100.2, 192.0.2.1'))).toBe('1')
  expect(await remaining(app, `${from('198.51.100.3')}${from('192.0.2.1')}`)).toBe('0')
})

const hostile = [
  from(''),
  from(','),
  from(', , ,'),
  from('unknown'),
  from('999.999.999.999'),
  from('127.0.0.1'),
  from('__proto__'),
  from("'; drop table request_counts; --"),
  from('\xff\xfe'),
  from('[::1'),
  from('a, '.repeat(4000)),
  from('127.0.0.1, '.repeat(1000)),
  'X-Forwarded-Proto: javascript\r\n',
  `X-Forwarded-Proto: https\r\nX-Forwarded-Proto: \r\n${from('x')}`,
]

test.each(hostile)('an invalid header counts for the proxy and causes no error: %j', async (header) => {
  const app = await anApp('127.0.0.1', 100)
  const { answers } = await exchange(app.port, `GET /api/v1/account HTTP/1.1\r\nHost: atelier.test\r\n${header}\r\n`)
  expect(answers).toMatchObject([{ status: 401 }])
  const { rows } = await app.services.pool.query('select subject from request_counts')
  expect(rows).toEqual([{ subject: 'address:127.0.0.1' }])
})
