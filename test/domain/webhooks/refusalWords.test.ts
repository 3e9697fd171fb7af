import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { contextFor } from '../../../src/domain/context.ts'
import { refusalText } from '../../../src/domain/webhooks/deliveries/escapeReply.ts'
import { findDelivery } from '../../../src/domain/webhooks/deliveries/findDelivery.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { answerWith, startRawServer } from '../../network/rawServer.ts'
import { selfSignedCertificate } from '../../network/selfSignedCertificate.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'
import { attemptAllDue } from '../../support/webhooks/attemptAllDue.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const documentation = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

type Answer = (socket: Socket) => string | undefined
const day = 86_400_000
const certificate = (options: { hostname?: string; ends?: number } = {}) =>
  selfSignedCertificate({
    hostname: options.hostname ?? 'localhost',
    notBefore: new Date(Date.now() - 9 * day),
    notAfter: new Date(Date.now() + (options.ends ?? 9) * day),
  })

/** Starts a raw server that sends this answer, over TLS with a certificate. Returns its address. */
async function serverAt(answer: Answer, tls?: ReturnType<typeof certificate>): Promise<string> {
  const server = await startRawServer(({ socket }) => answer(socket), tls ? { tls } : {})
  return `${server.url}/hook`
}

/** Returns the logged reason of one attempt at an address that was accepted when it was saved. */
async function reasonOf(address: string, { allowed = true, answerSeconds = 20 } = {}): Promise<string | null | undefined> {
  const context = aServiceContext(services)
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), 'http://127.0.0.1:9/hook')
  await services.pool.query('update webhook_subscriptions set address = $2 where id = $1', [subscription.id, address])
  const { id } = await sendTestEvent(context, subscription.id)
  const settings = { ...services.settings, allowedPrivateAddresses: allowed ? loopback.allowedPrivateAddresses : [] }
  await attemptAllDue(contextFor({ ...services, settings }, { kind: 'system' }), { answerSeconds })
  const delivery = await findDelivery(context, id)
  expect(delivery).toMatchObject({ state: 'retrying', attempts: 1 })
  await services.pool.query('delete from webhook_deliveries')
  return delivery && refusalText(delivery.refusal, delivery.responseStart)
}

function trust(cert: string): void {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
}

const receivers: [string, () => Promise<string>, string][] = [
  [
    'answers with an error and says why',
    () => serverAt(() => answerWith(500, {}, '{"error":"no such table"}\n')),
    'answered 500: {"error":"no such table"}\\n',
  ],
  [
    'answers with an error page of 200 kB',
    () => serverAt(() => answerWith(404, {}, '<html>'.padEnd(200_000, 'x'))),
    `answered 404: ${'<html>'.padEnd(256, 'x')}`,
  ],
  [
    'redirects',
    () => serverAt(() => answerWith(308, { location: 'https://elsewhere.example/new?token=1' })),
    'redirect to https://elsewhere.example/new not followed',
  ],
  ['does not answer', () => serverAt(() => undefined), 'no answer within 0.4 s'],
  [
    'sends its answer too slowly',
    () =>
      serverAt((socket) => {
        const drip = setInterval(() => socket.write('.'), 20)
        socket.on('close', () => clearInterval(drip))
        return 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'
      }),
    'answer not complete within 0.4 s: .',
  ],
  ['does not listen', async () => 'http://127.0.0.1:1/hook', 'connection refused'],
  [
    'closes the connection',
    () =>
      serverAt((socket) => {
        socket.end()
        return undefined
      }),
    'connection closed without an answer',
  ],
  [
    'resets the connection',
    () =>
      serverAt((socket) => {
        socket.resetAndDestroy()
        return undefined
      }),
    'connection reset',
  ],
  ['uses another protocol', () => serverAt(() => 'SSH-2.0-OpenSSH_9.2\r\n'), 'answer is not HTTP'],
  [
    'answers with 100 kB of headers',
    () => serverAt(() => answerWith(200, { 'x-large': 'x'.repeat(100_000) })),
    'answer headers are too large',
  ],
  [
    'has no TLS',
    async () => {
      const server = await startRawServer(() => undefined)
      server.greeting = answerWith(400)
      return `${server.url.replace('http:', 'https:')}/hook`
    },
    'no TLS at this port',
  ],
  [
    'does not complete the handshake',
    async () => (await serverAt(() => undefined)).replace('http:', 'https:'),
    'TLS handshake not complete within 0.4 s',
  ],
  ['has a self-signed certificate', () => serverAt(() => answerWith(200), certificate()), 'TLS certificate is self-signed'],
  [
    'has an expired certificate',
    async () => {
      const expired = certificate({ ends: -1 })
      trust(expired.cert)
      return serverAt(() => answerWith(200), expired)
    },
    'TLS certificate expired',
  ],
  [
    'has a certificate for another name',
    async () => {
      const other = certificate({ hostname: 'other.example' })
      trust(other.cert)
      return (await serverAt(() => answerWith(200), other)).replace('127.0.0.1', 'localhost')
    },
    'TLS certificate is for another name',
  ],
  ['has a name that does not resolve', async () => 'https://receiver.invalid/hook', 'name does not resolve'],
  ['is a public address over plain http', async () => 'http://93.184.215.14/hook', 'address is not https'],
]

test.each(receivers)('the log has a specific reason for a receiver that %s', async (_way, address, expected) => {
  // Receivers that answer have time to do so also on a busy machine.
  const answerSeconds = /0\.4 s|does not resolve/.test(expected) ? 0.4 : 20
  const reason = normalized(await reasonOf(await address(), { answerSeconds }))
  expect(reason).toBe(expected)
  const documented = String(reason)
    .replace(/:.*|to https.*/, '')
    .replace('0.4 s', '10 s')
  expect(documentation).toContain(documented.replace('404', '500').trim())
})

/** Removes differences that depend on the speed of the machine and on access to a name server. */
function normalized(expected: string | null | undefined): string {
  return String(expected)
    .replace(/: \.+$/, ': .')
    .replace(/^name server does not answer$|^name not resolved within 0\.4 s$/, 'name does not resolve')
}

test('the log has a reason for an address that was public when it was saved and is private now', async () => {
  const server = await startRawServer(() => answerWith(200))
  expect(await reasonOf(`https://localhost:${server.port}/hook`, { allowed: false })).toBe('address is private now')
  expect(await reasonOf(server.url, { allowed: false })).toBe('address is private')
  expect(server.connections).toBe(0)
})

test.each([
  ['has no body', () => answerWith(204)],
  ['has a longer body than is read', () => answerWith(200, {}, 'x'.repeat(200_000))],
  ['breaks off after its status', () => answerWith(201, { 'content-length': '10' }, 'half')],
  ['is compressed without a request', () => answerWith(200, { 'content-encoding': 'gzip' }, 'x')],
])('a 2xx is a success even when the answer %s', async (_what, answer) => {
  const context = aServiceContext(services)
  const server = await startRawServer(({ socket }) => {
    socket.end(answer())
    return undefined
  })
  const { subscription } = await aSubscription(services, await aTeamWithKey(services), server.url)
  const { id } = await sendTestEvent(context, subscription.id)
  await attemptAllDue(context)
  expect(await findDelivery(context, id)).toMatchObject({ state: 'delivered', refusal: null, nextAttemptAt: null })
})
