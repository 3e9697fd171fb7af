import { afterAll, expect, test } from 'vitest'
import { updateKey } from '../../src/domain/access/keys/updateKey.ts'
import { sealConfirmation } from '../../src/domain/priceConfirmationToken.ts'
import { sealToken } from '../../src/secrets/keyRing.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { envelope, rpc, sendToAgents } from '../support/http/agentMessages.ts'

const app = await testApp()
afterAll(app.close)
const operator = aServiceContext(app.services)
const dear = { familyId: 'sandbox-image', prompt: 'a lighthouse', axes: { version: 'pro' } }

/** An agent whose person is asked above 5 credits, and answers so; `asked` is what they were shown. */
async function aWaryAgent(action: 'accept' | 'decline' | 'cancel' | undefined) {
  const { value, key } = await anAgent(app.services)
  await updateKey(operator, { id: key.id, confirmAboveCredits: 5 })
  const agent = await agentClient(app, value, action === undefined ? {} : { capabilities: { elicitation: { form: {} } } })
  const asked: string[] = []
  if (action !== undefined) {
    agent.client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message)
      return action === 'accept' ? { action, content: {} } : { action }
    })
  }
  return { ...agent, value, asked, available: async () => (await agent.call('get_account')).body.creditsAvailable }
}

test('a generation above the confirmation price starts once after the person agrees, with or without a quote', async () => {
  const { call, asked, available } = await aWaryAgent('accept')
  expect((await call('start_generation', dear)).body).toMatchObject({ creditsHeld: 8, replayed: false })
  expect(asked).toEqual([expect.stringContaining('8 credits')])
  const { quoteId } = (await call('estimate_generation', dear)).body
  const first = await call('start_generation', { ...dear, quoteId })
  const again = await call('start_generation', { ...dear, quoteId })
  expect(again.body).toMatchObject({ generationId: first.body.generationId, replayed: true })
  expect(await available()).toBe(84)
})

test.each(['decline', 'cancel'] as const)('when the person answers with %s nothing is started, and the agent is told', async (action) => {
  const { call, asked, available } = await aWaryAgent(action)
  const answer = await call('start_generation', dear)
  expect(answer).toMatchObject({ isError: true, body: { error: { code: 'cost_above_limit', retryable: false } } })
  expect(asked).toHaveLength(1)
  expect(await available()).toBe(100)
})

test('a client without elicitation is refused, also with a quote; a cheaper generation starts', async () => {
  const { call, available } = await aWaryAgent(undefined)
  const { quoteId } = (await call('estimate_generation', dear)).body
  for (const asked of [dear, { ...dear, quoteId }]) {
    const { body } = await call('start_generation', asked)
    expect(body.error).toMatchObject({ code: 'cost_above_limit', details: { credits: 8, confirmAboveCredits: 5 } })
  }
  expect((await call('start_generation', { ...dear, axes: { version: 'standard' } })).isError).toBe(false)
  expect(await available()).toBe(98)
})

/** What a program sends that answers for its person; `state` is what it says the question was. */
async function answeredUnasked(key: string, given: object, state: string) {
  const said = { inputResponses: { confirm: { action: 'accept', content: {} } }, requestState: state }
  const params = { name: 'start_generation', arguments: given, ...said, _meta: envelope }
  const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'start_generation' }
  return (await sendToAgents(app, { key, body: rpc('tools/call', params), revision: '2026-07-28', headers })).message
}

test('an answer to a forged, changed or other question starts nothing', async () => {
  const { call, value, available } = await aWaryAgent('decline')
  const { quoteId } = (await call('estimate_generation', dear)).body
  const question = sealConfirmation(operator, { quoteId, credits: 8 })
  const changed = `${question.startsWith('A') ? 'B' : 'A'}${question.slice(1)}`
  for (const state of [quoteId, changed, sealToken(operator.ring, Buffer.from(quoteId), 'history_cursor')])
    expect(await answeredUnasked(value, { ...dear, quoteId }, state)).toMatchObject({ error: { code: -32602 } })
  const other = { ...dear, prompt: 'another' }
  expect(await answeredUnasked(value, other, question)).toMatchObject({
    result: { structuredContent: { error: { code: 'idempotency_conflict' } } },
  })
  const stranger = await anAgent(app.services)
  expect(await answeredUnasked(stranger.value, dear, question)).toMatchObject({
    result: { structuredContent: { error: { code: 'invalid_request' } } },
  })
  expect(await available()).toBe(100)
})

test('at most the confirmed price is charged, even if the quote permits more', async () => {
  const { call, value, available } = await aWaryAgent('decline')
  const { quoteId } = (await call('estimate_generation', dear)).body
  const shown = sealConfirmation(operator, { quoteId, credits: 7 })
  const answer = await answeredUnasked(value, dear, shown)
  expect(answer).toMatchObject({
    result: { structuredContent: { error: { code: 'cost_above_limit', details: { credits: 8, maxCredits: 7 } } } },
  })
  expect(await available()).toBe(100)
})

test('REST requires no confirmation', async () => {
  const { value, key } = await aTeamWithKey(app.services)
  await updateKey(operator, { id: key.id, confirmAboveCredits: 5 })
  expect((await app.ask('POST /generations', { key: value, body: dear })).status).toBe(201)
})
