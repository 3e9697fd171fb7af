import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeWebhookSecret, signWebhook } from '../../src/secrets/signWebhook.ts'

const id = 'evt_01kabc'
const body = Buffer.from('{"id":"evt_01kabc","note":"ü, spaces and  order kept"}')
const timestampSeconds = 1_763_640_000

test('a new secret is whsec_ and the base64 of 32 bytes, different each time', () => {
  expect(makeWebhookSecret()).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
  expect(makeWebhookSecret()).not.toBe(makeWebhookSecret())
})

test('the service signature is keyed with the printed secret over the second, a dot and the body', () => {
  const secret = makeWebhookSecret()
  const digest = createHmac('sha256', secret).update(`${timestampSeconds}.${body.toString()}`).digest('hex')

  expect(signWebhook({ secrets: [secret], body, timestampSeconds, id })['X-Service-Signature']).toBe(`t=${timestampSeconds},v1=${digest}`)
})

test('the signature of a known attempt equals the one of openssl', () => {
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

  expect(signWebhook({ secrets: [secret], body: Buffer.from('{}'), timestampSeconds, id })).toEqual({
    'X-Service-Signature': 't=1763640000,v1=dd0485487a24c57e349f455aedb7bf3f770dcc4bc202b595b0b25fe18c0e3d1e',
    'webhook-id': id,
    'webhook-timestamp': '1763640000',
    'webhook-signature': 'v1,BxpymWUWKSUZXPiInRJKc2XlVDE29mw7zkOlBVq1BnQ=',
  })
})

test('a body that is not UTF-8 is signed byte by byte', () => {
  const secret = makeWebhookSecret()
  const bytes = Buffer.of(0xff, 0xfe, 0x00, 0x80)
  const digest = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${timestampSeconds}.`), bytes]))
    .digest('hex')

  expect(signWebhook({ secrets: [secret], body: bytes, timestampSeconds, id })['X-Service-Signature']).toContain(digest)
})

test('a Standard Webhooks library accepts the headers, and refuses them for another body', () => {
  const secret = makeWebhookSecret()
  const now = Math.floor(Date.now() / 1000)
  const headers = { ...signWebhook({ secrets: [secret], body, timestampSeconds: now, id }) }
  const receiver = new Webhook(secret)

  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body.toString()))
  expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature')
})

test('during an overlap there is one signature for the old and one for the new secret', () => {
  const [newer, older] = [makeWebhookSecret(), makeWebhookSecret()]
  const now = Math.floor(Date.now() / 1000)
  const both = signWebhook({ secrets: [newer, older], body, timestampSeconds: now, id })
  const alone = (secret: string) => signWebhook({ secrets: [secret], body, timestampSeconds: now, id })

  expect(both['X-Service-Signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  for (const secret of [newer, older]) {
    expect(new Webhook(secret).verify(body, { ...both })).toBeDefined()
    expect(both['webhook-signature'].split(' ')).toContain(alone(secret)['webhook-signature'])
    expect(both['X-Service-Signature'].split(',')).toContain(alone(secret)['X-Service-Signature'].split(',')[1])
  }
})

test.each([[[]], [['']], [['whsec_']], [['plain text']], [[makeWebhookSecret(), 'whsec_short']]])(
  'nothing is signed with something that is no secret (%#)',
  (secrets) => {
    expect(() => signWebhook({ secrets, body, timestampSeconds, id })).toThrow('not a webhook signing secret')
  },
)

test.each([1.5, Number.NaN])('the invalid timestamp %d is rejected', (broken) => {
  expect(() => signWebhook({ secrets: [makeWebhookSecret()], body, timestampSeconds: broken, id })).toThrow(RangeError)
})
