import { afterAll, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { testApp } from '../support/app.ts'
import { anAgent } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { envelope, rpc } from '../support/http/agentMessages.ts'
import { mp4Of, traces } from '../support/http/uploads.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const { value: key } = await anAgent(services)
const largest = await mp4Of(limits.fileBytes)

/** Nothing lies aside once the answer is out. */
const expectNothingAside = () => expect.poll(async () => (await traces(services)).temporary).toEqual([])

test.each(['modern', 'legacy'] as const)('a %s client uploads 26,214,400 bytes as base64, and they arrive byte for byte', async (era) => {
  const { call } = await agentClient(app, key, { era })
  const kept = await call('upload_file', { base64: largest.toString('base64'), mimeType: 'video/mp4' })
  expect(kept.body).toMatchObject({ state: 'processing', type: 'video', sizeBytes: limits.fileBytes })
  const stored = await services.storage.open(`files/${kept.body.fileId}`)
  expect(Buffer.concat(await stored.toArray()).equals(largest)).toBe(true)
  await expectNothingAside()
})

test('a file of one byte too many and other invalid long content are refused by the tool', async () => {
  const { call } = await agentClient(app, key)
  const before = await traces(services)
  const refusalOf = async (given: object) => (await call('upload_file', { ...given })).body.error
  const tooLarge = Buffer.concat([largest, Buffer.alloc(1)]).toString('base64')
  expect(await refusalOf({ base64: tooLarge })).toMatchObject({ code: 'payload_too_large', details: { maxBytes: limits.fileBytes } })
  const long = largest.subarray(0, 600_000).toString('base64')
  expect(await refusalOf({ base64: `${long}!` })).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: ['base64'] }] } })
  expect(await refusalOf({ base64: `${long}\u0141AAA` })).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf({ base64: long, url: 'https://a.example/x' })).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf({ base64: long, mimeType: 'x' })).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf({ base64: Buffer.alloc(900_000, '<svg/>').toString('base64') })).toMatchObject({
    code: 'unsupported_file_format',
  })
  await expectNothingAside()
  expect(await traces(services)).toEqual(before)
})

type Answer = { status: number; text: string }

async function send(body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${app.origin}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body,
  })
  return { status: response.status, text: await response.text() }
}

const long = 'QUJD'.repeat(300_000)
const called = (name: string, given: object, method = 'tools/call') => JSON.stringify(rpc(method, { name, arguments: given }))
const written = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`

test.each([
  ['another tool', called('get_family', { base64: long })],
  ['another argument', called('upload_file', { url: long })],
  ['another method', called('upload_file', { base64: long }, 'prompts/get')],
  ['a list', `[${called('upload_file', { base64: long })}]`],
  ['the arguments before the name', written(`{"arguments":{"base64":"${long}"},"name":"upload_file"}`)],
  ['a nested object', written(`{"name":"upload_file","arguments":{"a":{"base64":"${long}"}}}`)],
  ['nothing but length', long],
  ['what follows the base64', written(`{"name":"upload_file","arguments":{"base64":"${long}","url":"${long}"}}`)],
])('more than 256 KiB of %s are refused, and nothing is spooled', async (_what, body) => {
  const { status, text } = await send(body)
  expect(status).toBe(413)
  expect(JSON.parse(text).error).toMatchObject({ code: 'payload_too_large', details: { maxBytes: limits.requestBodyBytes } })
  await expectNothingAside()
})

test.each([
  ['another of it', `{"base64":"${long}","base64":"QUJD"}`],
  ['other arguments behind it', `{"base64":"${long}"},"arguments":{}`],
  ['no quote behind it', `{"base64":"${long}`],
  ['a NUL beside it', `{"base64":"${long}","mimeType":"\\u0000"}`],
  ['deep nesting behind it', `{"base64":"${long}","x":${'['.repeat(40)}${']'.repeat(40)}}`],
])('long base64 with %s is not a message, and no spooled file remains', async (_what, given) => {
  const { status } = await send(written(`{"name":"upload_file","arguments":${given}}`))
  expect(status).toBe(400)
  await expectNothingAside()
})

test('headers of the newest revision announce an upload, and must match the message', async () => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'upload_file' }
  const params = (name: string) => written(JSON.stringify({ arguments: { base64: largest.toString('base64') }, name, _meta: envelope }))
  const kept = await send(params('upload_file'), headers)
  expect(JSON.parse(kept.text).result.structuredContent).toMatchObject({ sizeBytes: limits.fileBytes })
  expect((await send(params('get_family'), headers)).status).toBe(400)
  await expectNothingAside()
})

test('a body that announces more than the limit is refused before it is read', async () => {
  expect((await send(called('upload_file', { base64: 'A'.repeat(42 * 1024 * 1024) }))).status).toBe(413)
  await expectNothingAside()
})

test('a disconnect during an upload leaves no spooled file', async () => {
  const leaving = new AbortController()
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(called('upload_file', { base64: 'QUJD'.repeat(500_000) }).slice(0, 1_500_000)))
    },
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = fetch(`${app.origin}/mcp`, { method: 'POST', headers, body, duplex: 'half', signal: leaving.signal } as RequestInit)
  await expect.poll(async () => (await traces(services)).temporary.length).toBe(1)
  leaving.abort()
  expect(await sent.catch((error: Error) => error.name)).toBe('AbortError')
  await expectNothingAside()
})
