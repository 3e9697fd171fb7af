import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { anAgent } from '../support/factories.ts'
import { envelope, rpc, sendToAgents } from '../support/http/agentMessages.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await anAgent(app.services)
const send = (body: unknown, revision?: string, headers?: Record<string, string>) =>
  sendToAgents(app, { key, body, ...(revision ? { revision } : {}), ...(headers ? { headers } : {}) })

const initialize = (protocolVersion: string) =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } })

test.each(['2025-11-25', '2025-06-18', '2025-03-26'])('a client of %s is served without a session', async (revision) => {
  const greeted = await send(initialize(revision))
  expect(greeted).toMatchObject({ status: 200, message: { result: { protocolVersion: revision, serverInfo: { name: 'atelier' } } } })
  expect(greeted.headers['mcp-session-id']).toBeUndefined()
  expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, revision)).status).toBe(202)
  expect((await send(rpc('ping'), revision)).message).toMatchObject({ result: {} })
  const listed = await send(rpc('tools/list'), revision)
  expect(listed.message.result?.['tools']).toHaveLength(10)
  const found = await send(rpc('tools/call', { name: 'get_family', arguments: { familyId: 'sandbox-3d' } }), revision)
  expect(found.message).toMatchObject({ result: { structuredContent: { id: 'sandbox-3d' }, content: [{ type: 'text' }] } })
})

test('an unknown revision is answered with a supported one, or refused', async () => {
  expect((await send(initialize('1999-01-01'))).message).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  expect((await send(rpc('tools/list'), '1999-01-01')).status).toBe(400)
})

test('the newest revision is discoverable, and its headers must match its messages', async () => {
  const discovered = await send(rpc('server/discover', { _meta: envelope }), '2026-07-28', { 'mcp-method': 'server/discover' })
  const nothingToListenFor = { tools: { listChanged: false }, resources: { listChanged: false } }
  expect(discovered).toMatchObject({
    status: 200,
    message: { result: { supportedVersions: ['2026-07-28'], capabilities: nothingToListenFor } },
  })
  const mixed = await send(rpc('tools/list', { _meta: envelope }), '2026-07-28', { 'mcp-method': 'tools/call' })
  expect(mixed.status).toBe(400)
  const bare = await send(rpc('tools/list'), '2026-07-28')
  expect(bare.status).toBe(400)
  const listening = await send(rpc('subscriptions/listen', { _meta: envelope, filter: {} }), '2026-07-28', {
    'mcp-method': 'subscriptions/listen',
  })
  expect(listening.message.error).toBeDefined()
})

test('a batch is accepted only in its revision, with at most ten messages', async () => {
  const several = [rpc('tools/list', {}, 'a'), rpc('ping', {}, 'b')]
  const answered = await send(several)
  expect(answered.status).toBe(200)
  expect(answered.text).toMatch(/"id":"a"/)
  expect(answered.text).toMatch(/"id":"b"/)
  expect((await send(several, '2025-03-26')).status).toBe(200)
  expect(await send(several, '2025-11-25')).toMatchObject({ status: 400, message: { error: { code: -32600 } } })
  expect((await send([])).status).toBe(400)
  expect((await send(Array.from({ length: 11 }, (_, id) => rpc('ping', {}, id)))).status).toBe(400)
})

const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
const hostile: [string, unknown, Record<string, string>?][] = [
  ['no JSON', '{"jsonrpc":'],
  ['nothing', ''],
  ['a number', '7'],
  ['null', 'null'],
  ['deep nesting', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`],
  ['a NUL', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\u0000"}}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['no version of JSON-RPC', { id: 1, method: 'tools/list' }],
  ['an object for an id', rpc('tools/list', {}, { a: 1 })],
  ['a text for params', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: 'x' }],
  ['a list for arguments', rpc('tools/call', { name: 'get_family', arguments: [] })],
  ['no name of a tool', rpc('tools/call', { arguments: {} })],
  ['a tool that is not there', rpc('tools/call', { name: '__proto__', arguments: {} })],
  ['a method that is not there', rpc('tools/delete')],
  ['a method with a hostile name', rpc('constructor')],
  ['an id of 100,000 characters', rpc('no/such', {}, 'x'.repeat(100_000))],
  ['a fraction for an id', rpc('no/such', {}, 1.5)],
  ['an answer to nothing', { jsonrpc: '2.0', id: 9, result: {} }],
  ['a message of another envelope', rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } })],
  ['another content type', rpc('tools/list'), { 'content-type': 'text/plain' }],
  ['an accept that takes neither', rpc('tools/list'), { accept: 'text/html' }],
]

test.each(hostile)('%s is answered cleanly', async (_what, body, headers) => {
  const answer = await send(body, undefined, headers)
  expect(answer.status).toBeLessThan(500)
  expect(answer.status === 202 || answer.message.error !== undefined).toBe(true)
  expect(answer.message.error?.code).not.toBe(-32603)
  expect((await send(rpc('tools/list'))).status).toBe(200)
})

test('a body over 256 KiB is refused', async () => {
  const answer = await send(rpc('tools/call', { name: 'get_family', arguments: { familyId: 'x'.repeat(300_000) } }))
  expect(answer).toMatchObject({ status: 413, message: { error: { code: 'payload_too_large' } } })
})
