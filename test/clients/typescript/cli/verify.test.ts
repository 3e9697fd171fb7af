import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWebhookSecret, signWebhook } from '../../../../src/secrets/signWebhook.ts'
import { aFolder, atelierClient } from './commandRun.ts'

const at = 1_795_176_000
const secret = makeWebhookSecret()
const event = { id: 'evt_1', event: 'generation.completed', data: { generation: { prompt: 'Ä ✓' } } }
const body = JSON.stringify(event)
const signed = { ...signWebhook({ secrets: [makeWebhookSecret(), secret], body: Buffer.from(body), timestampSeconds: at, id: 'evt_1' }) }
const env = { WEBHOOK_SECRET: secret }

const verify = (changes: { stdin?: string; headers?: Record<string, string>; options?: string[]; env?: Record<string, string> } = {}) => {
  const headers = Object.entries(changes.headers ?? signed).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return atelierClient(['verify', ...headers, ...(changes.options ?? ['--at', String(at + 10)])], {
    env: changes.env ?? env,
    stdin: changes.stdin ?? body,
  })
}

test('a signed webhook is genuine, and each part is reported', async () => {
  const { code, out } = await verify()
  expect(code).toBe(0)
  expect(out).toBe(`ok  X-Service-Signature fits the body.
ok  X-Service-Signature is 10 s old.
ok  webhook-signature fits webhook-id, webhook-timestamp and the body.
ok  webhook-timestamp is 10 s old.
ok  The body is generation.completed, evt_1.
`)
})

test('body, headers and secret can be in files, and --json prints the event', async () => {
  const folder = await aFolder()
  const [bodyPath, headersPath, secretPath] = ['body', 'headers', 'secret'].map((name) => join(folder, name)) as [string, string, string]
  await writeFile(bodyPath, body)
  await writeFile(
    headersPath,
    `POST /hook HTTP/1.1\r\n${Object.entries(signed)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  await writeFile(secretPath, `${secret}\n`)
  const options = ['--body', bodyPath, '--headers', headersPath, '--secret-file', secretPath, '--at', String(at), '--json']
  expect(await atelierClient(['verify', ...options])).toMatchObject({ code: 0, out: `${body}\n`, words: '' })
})

test.for<[string, Parameters<typeof verify>[0], string]>([
  ['another secret', { env: { WEBHOOK_SECRET: makeWebhookSecret() } }, 'the secret is wrong'],
  ['a changed body', { stdin: body.replace('✓', '✗') }, 'the body was changed'],
  ['an extra line break', { stdin: `${body}\n` }, 'an editor or echo has added one'],
  ['JSON that was serialised again', { stdin: JSON.stringify(event, null, 2) }, 'Check the raw bytes'],
  ['an empty body', { stdin: '' }, 'The body is empty'],
  ['no signature', { headers: { Host: 'x' } }, 'There is no signature'],
  ['another identifier', { headers: { ...signed, 'webhook-id': 'evt_2' } }, 'webhook-id is evt_2, but the id in the body is evt_1'],
  ['a signature of another form', { headers: { 'X-Service-Signature': 'sha256=ab' } }, 'has no timestamp'],
  ['an old request', { options: ['--at', String(at + 3600)] }, 'is 1 h old, more than 5 min'],
  ['a request from the future', { options: ['--at', String(at - 3600)] }, 'is 1 h ahead of the clock'],
])('%s is explained', async ([, changes, words]) => {
  const { code, out } = await verify(changes)
  expect(code).toBe(1)
  expect(out).toContain(words)
})

test('without a secret nothing is checked, and no message contains a secret', async () => {
  const secretless = await verify({ env: {} })
  expect([secretless.code, secretless.out]).toEqual([2, ''])
  const { code, words } = await verify({ options: ['--secret', `${secret}x`] })
  expect(code).toBe(2)
  expect(words).not.toContain(secret.slice(6, 20))
})
