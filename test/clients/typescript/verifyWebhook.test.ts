import { createHmac } from 'node:crypto'
import { expect, expectTypeOf, test } from 'vitest'
import {
  type GenerationFailure,
  type GenerationResult,
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookNotVerifiedError,
} from '../../../clients/typescript/src/index.ts'
import { makeWebhookSecret, signWebhook } from '../../../src/secrets/signWebhook.ts'

const now = 1_795_176_000
const secret = makeWebhookSecret()
const newer = makeWebhookSecret()
const event = {
  id: 'evt_1',
  event: 'generation.completed',
  createdAt: '2026-11-20T12:00:00.000Z',
  data: { generation: { prompt: 'Ä ✓ 𝄞' } },
}
const body = Buffer.from(`${JSON.stringify(event, null, 2)}\n`)

function signed(changes: Partial<ReceivedWebhook> = {}, { secrets = [secret], timestampSeconds = now } = {}): ReceivedWebhook {
  const headers = { ...signWebhook({ secrets, body, timestampSeconds, id: event.id }) }
  return { body, headers, secrets: secret, now, ...changes }
}

function withSignature(signature: string | string[], changes: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  return signed({ headers: { 'x-service-signature': signature }, ...changes })
}

function digestOf(text: string, key = secret): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const good = `t=${now},v1=${digestOf(`${now}.${body}`)}`

test.for<[string, Partial<ReceivedWebhook>]>([
  ['bytes', {}],
  ['text', { body: body.toString() }],
  ['an ArrayBuffer', { body: new Uint8Array(body).buffer }],
])('a signed body is accepted as %s', async ([, changes]) => {
  expect(await verifyWebhook(signed(changes))).toEqual(event)
})

test.for<[string, ReceivedWebhook['headers']]>([
  ['of Node', { 'x-service-signature': good }],
  ['in any letter case', { 'X-SERVICE-Signature': good }],
  ['as a list', { 'x-service-signature': [good] }],
  ['of the web', new Headers({ 'X-Service-Signature': good })],
])('headers are read %s', async ([, headers]) => {
  expect(await verifyWebhook(signed({ headers }))).toEqual(event)
})

test('while a secret is replaced, either secret is enough on both sides', async () => {
  const both = signed({}, { secrets: [newer, secret] })
  for (const secrets of [secret, newer, [secret, newer], [makeWebhookSecret(), secret]]) {
    expect(await verifyWebhook({ ...both, secrets })).toEqual(event)
  }
  expect(await verifyWebhook(signed({ secrets: ['', newer, secret] }))).toEqual(event)
})

test('the signature is valid for 300 seconds in both directions, or for the given tolerance', async () => {
  for (const apart of [300, -300, 0]) expect(await verifyWebhook(signed({ now: now + apart }))).toEqual(event)
  expect(await verifyWebhook(signed({ now: now + 10, toleranceSeconds: 10 }))).toEqual(event)
  for (const apart of [300.1, -300.1, 86_400])
    await expect(verifyWebhook(signed({ now: now + apart }))).rejects.toThrow('too old or in the future')
  await expect(verifyWebhook(signed({ now: now + 11, toleranceSeconds: 10 }))).rejects.toThrow(WebhookNotVerifiedError)
  await expect(verifyWebhook(signed({ toleranceSeconds: Number.NaN }))).rejects.toThrow(WebhookNotVerifiedError)
})

test('without a given time, the clock of the machine is used', async () => {
  const { now: _, ...fresh } = signed({}, { timestampSeconds: Math.floor(Date.now() / 1000) })
  expect(await verifyWebhook(fresh)).toEqual(event)
  const { now: __, ...old } = signed({}, { timestampSeconds: Math.floor(Date.now() / 1000) - 400 })
  await expect(verifyWebhook(old)).rejects.toThrow(WebhookNotVerifiedError)
})

const flipped = Buffer.from(body)
flipped[10] = (flipped[10] ?? 0) ^ 1

test.for<[string, ReceivedWebhook]>([
  ['another body', signed({ body: flipped })],
  ['a body that was serialised again', signed({ body: JSON.stringify(event) })],
  ['another secret', signed({ secrets: makeWebhookSecret() })],
  ['no secret', signed({ secrets: [] })],
  ['an empty secret', signed({ secrets: '' })],
  [
    'an empty secret that was signed with',
    withSignature(`t=${now},v1=${createHmac('sha256', '').update(`${now}.${body}`).digest('hex')}`, { secrets: '' }),
  ],
  [
    'the decoded secret',
    withSignature(
      `t=${now},v1=${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${now}.${body}`)
        .digest('hex')}`,
    ),
  ],
  ['another timestamp', withSignature(good.replace(`t=${now}`, `t=${now + 1}`))],
  ['two timestamps', withSignature(`t=${now},${good}`)],
  ['two headers', withSignature([good, good])],
  ['no timestamp', withSignature(good.slice(good.indexOf('v1')))],
  ['a timestamp that is not a number', withSignature(`t=${now}.0,v1=${digestOf(`${now}.0.${body}`)}`)],
  ['a negative timestamp', withSignature(`t=-${now},v1=${digestOf(`-${now}.${body}`)}`)],
  ['no digest', withSignature(`t=${now}`)],
  ['a digest in capitals', withSignature(good.slice(0, 5 + String(now).length) + digestOf(`${now}.${body}`).toUpperCase())],
  ['half a digest', withSignature(good.slice(0, -2))],
  ['another scheme', withSignature(good.replace('v1=', 'v0='))],
  ['an empty header', withSignature('')],
  ['no header', signed({ headers: {} })],
])('%s is refused', async ([, received]) => {
  await expect(verifyWebhook(received)).rejects.toThrow(WebhookNotVerifiedError)
})

test('unknown parts of the signature are ignored', async () => {
  expect(await verifyWebhook(withSignature(`${good},v2=abc,x`))).toEqual(event)
  expect(await verifyWebhook(withSignature(`v1=${'0'.repeat(64)},${good}`))).toEqual(event)
})

/** The headers that remain if a gateway removes unknown headers. */
function standardHeaders(secrets = [secret]): Record<string, string> {
  const { 'X-Service-Signature': _, ...headers } = signWebhook({ secrets, body, timestampSeconds: now, id: event.id })
  return headers
}

function standard(headers: Record<string, string> = {}, changes: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  return signed({ headers: { ...standardHeaders(), ...headers }, ...changes })
}

test('the headers of Standard Webhooks are enough, with either secret while one is replaced', async () => {
  expect(await verifyWebhook(standard())).toEqual(event)
  const both = standardHeaders([newer, secret])
  for (const secrets of [secret, newer, [secret, newer], ['', makeWebhookSecret(), 'whsec_*', secret]]) {
    expect(await verifyWebhook(standard(both, { secrets }))).toEqual(event)
  }
  expect(await verifyWebhook(signed({ headers: new Headers(both) }))).toEqual(event)
  expect(await verifyWebhook(standard({ 'webhook-signature': `v1a,abc v1,AA== ${both['webhook-signature']} v2,x` }))).toEqual(event)
})

test.for<[string, ReceivedWebhook]>([
  ['another identifier', standard({ 'webhook-id': 'evt_2' })],
  ['no identifier', standard({ 'webhook-id': '' })],
  ['another timestamp', standard({ 'webhook-timestamp': String(now + 1) })],
  ['no timestamp', standard({ 'webhook-timestamp': '' })],
  ['a signature of another time', standard({}, { now: now + 301 })],
  ['another secret', standard({}, { secrets: newer })],
  ['a secret without bytes', standard({}, { secrets: ['whsec_', ''] })],
  ['another body', standard({}, { body: flipped })],
  ['no readable digest', standard({ 'webhook-signature': 'v1,AAAA v1,*** v2,AAAA' })],
  ['a bad signature of the other scheme beside it', standard({ 'x-service-signature': `t=${now},v1=${'0'.repeat(64)}` })],
])('by the headers of Standard Webhooks, %s is refused', async ([, received]) => {
  await expect(verifyWebhook(received)).rejects.toThrow(WebhookNotVerifiedError)
})

test('the name of an event types the state of its generation', () => {
  type Of<Event> = Extract<WebhookEvent, { event: Event }>['data']['generation']
  expectTypeOf<Of<'generation.completed'>['result']>().toEqualTypeOf<GenerationResult>()
  expectTypeOf<Of<'generation.failed'>['error']>().toEqualTypeOf<GenerationFailure>()
  expectTypeOf<Of<'generation.cancelled'>['state']>().toEqualTypeOf<'cancelled'>()
})

test('a signed body that is not JSON or not text is refused', async () => {
  for (const content of [Buffer.from('{"id":'), Buffer.from([0xff, 0xfe])]) {
    const headers = signWebhook({ secrets: [secret], body: content, timestampSeconds: now, id: 'evt_1' })
    await expect(verifyWebhook({ body: content, headers: { ...headers }, secrets: secret, now })).rejects.toThrow(WebhookNotVerifiedError)
  }
})

test('a header full of signatures costs no more than one signature', async () => {
  const digests = Array.from({ length: 200 }, (_, index) => `v1=${String(index).padStart(64, '0')}`)
  const headers = { 'x-service-signature': `t=1770000000,${digests.join(',')}` }
  const begun = process.cpuUsage()
  const verdict = verifyWebhook({ body: new Uint8Array(8_000_000), headers, secrets: 'whsec_a', now: 1_770_000_000 })
  await expect(verdict).rejects.toThrow('No signature fits')
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1e6).toBeLessThan(0.8)
})
