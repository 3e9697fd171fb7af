import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { envelope, rpc } from '../support/http/agentMessages.ts'
import { seededRandom } from '../support/seededRandom.ts'

const app = await testApp()
afterAll(app.close)

const requests = 400
const patienceMs = 10_000
const seed = 20_260_728

const methods = [
  ...['initialize', 'ping', 'tools/list', 'resources/list', 'resources/templates/list', 'resources/read', 'completion/complete'],
  ...['prompts/list', 'logging/setLevel', 'server/discover', 'subscriptions/listen', 'notifications/cancelled', '', 'constructor'],
]
const tools = [
  ...['search_families', 'get_family', 'upload_file', 'estimate_generation', 'start_generation', 'get_generation'],
  ...['wait_generation', 'cancel_generation', 'list_generations', 'get_account', '__proto__'],
]
const names = [
  'familyId',
  'prompt',
  'generationId',
  'cursor',
  'limit',
  'task',
  'uri',
  'name',
  'ref',
  'argument',
  'base64',
  'metadata',
  'axes',
  '_meta',
]
const values: unknown[] = [
  ...[null, true, -1, 0.5, 1e308, '', 'sandbox-image', 'gen_x', 'x'.repeat(5000), '\ud83d', '\u0000', [], {}, [[]]],
  ...['atelier://families/sandbox-image', 'atelier://generations/', { type: 'ref/resource', uri: 'atelier://families/{familyId}' }],
]
const revisions = [undefined, '2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', 'x']

/** Bodies and headers of which some are right, most are wrong somewhere, and none may start anything. */
function writer(random: () => number) {
  const below = (count: number) => Math.floor(random() * count)
  const one = <Value>(of: readonly Value[]): Value => of[below(of.length)] as Value
  const some = () => Object.fromEntries(Array.from({ length: below(4) }, () => [one(names), one(values)]))
  // A quote that nobody gave stands last, so that nothing is right about a start.
  const called = () => ({
    name: one(tools),
    arguments: { ...some(), ...(below(2) ? {} : { prompt: 'x', familyId: 'sandbox-image' }), quoteId: 'quote_x' },
  })
  return () => {
    const isCall = below(2) === 0
    const method = isCall ? 'tools/call' : one(methods)
    const revision = one(revisions)
    const params = { ...(isCall ? called() : some()), ...(revision === '2026-07-28' && below(5) ? { _meta: envelope } : {}) }
    const message = rpc(method, params, one([1, 'a', null, 1.5, {}, -1]))
    const text = JSON.stringify(below(10) === 0 ? Array.from({ length: below(12) }, () => message) : message)
    const at = below(text.length)
    const body = one([
      text,
      text,
      text,
      text.slice(0, at),
      text.slice(0, at) + one(['"', '{', '\\', ',', '}', '\u0001']) + text.slice(at + 1),
    ])
    const headers = {
      ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
      ...(below(4) ? { 'mcp-method': method } : {}),
      ...(isCall && below(4) ? { 'mcp-name': String((params as { name?: unknown }).name) } : {}),
    }
    return { body, headers }
  }
}

test(`of ${requests} hostile messages each gets a response without a 5xx, and nothing is started or held`, {
  timeout: 60_000,
}, async () => {
  const { value } = await anAgent(app.services)
  const faults: string[] = []
  const write = writer(seededRandom(seed))
  for (let sent = 0; sent < requests; sent += 1) {
    const { body, headers } = write()
    const answer = await fetch(`${app.origin}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${value}`,
        ...headers,
      },
      body,
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await answer.text()
    const isFault = answer.status >= 500 || text.includes('"code":"internal_error"')
    if (isFault) faults.push(`seed ${seed}, message ${sent}: ${body.slice(0, 500)}`)
  }
  expect(faults).toEqual([])
  const { call } = await agentClient(app, value)
  expect((await call('list_generations')).body.items).toEqual([])
  expect((await call('get_account')).body).toMatchObject({ creditsAvailable: 100 })
  expect(await checkBooks(aServiceContext(app.services))).toMatchObject({ clean: true })
})
