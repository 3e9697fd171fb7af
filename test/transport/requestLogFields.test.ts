import { afterAll, expect, test, vi } from 'vitest'
import { type Answered, testApp } from '../support/app.ts'
import { anAgent, aTeamWithKey } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'

const serviceToken = 'a-service-token-of-more-than-32-characters'
const app = await testApp({ serviceToken })
afterAll(app.close)
const caller = await aTeamWithKey(app.services)
const lamp = { familyId: 'sandbox-image', prompt: 'a secret lamp' }

/** The log entry of a request, which is written after the response. */
const entryOf = ({ headers }: Pick<Answered, 'headers'>) => entry((fields) => fields['requestId'] === headers['x-request-id'])

async function entry(matches: (fields: Record<string, unknown>) => boolean) {
  const found = () => app.logged.find(({ message, fields }) => message === 'request' && matches(fields as Record<string, unknown>))
  return await vi.waitFor(() => {
    const logged = found()
    expect(logged).toBeDefined()
    return logged
  })
}

test('the log entry of a start has its key, team, owner and generation, and nothing of the request', async () => {
  const started = await app.ask('POST /generations', { key: caller.value, body: lamp })
  const { generationId } = started.body
  const logged = await entryOf(started)
  expect(logged).toMatchObject({
    level: 'info',
    fields: { status: 201, keyId: caller.key.id, teamId: caller.team.id, userId: caller.user.id, generationId },
  })
  expect(JSON.stringify(logged)).not.toContain('secret')
  const read = await app.ask(`GET /generations/${generationId}`, { key: caller.value })
  expect((await entryOf(read))?.fields).toMatchObject({ generationId })
})

test('the log entry of a refusal has its code', async () => {
  const refused = await app.ask('POST /generations', { key: caller.value, body: {} })
  expect((await entryOf(refused))?.fields).toMatchObject({ keyId: caller.key.id, code: 'invalid_request' })
  const unknown = await app.ask('GET /account', { key: 'not-a-key' })
  expect((await entryOf(unknown))?.fields).toMatchObject({ code: 'invalid_token' })
  const nowhere = await app.ask('GET /nowhere', { key: caller.value })
  expect((await entryOf(nowhere))?.fields).toMatchObject({ keyId: caller.key.id, code: 'not_found' })
})

test('a text that is no identifier is not logged as one', async () => {
  const asked = await app.ask('GET /generations/a%20secret', { key: caller.value })
  expect(JSON.stringify(await entryOf(asked))).not.toContain('secret')
})

test('the log entry of a GraphQL request has the code of its first refused field', async () => {
  const missing = await app.ask('POST //graphql', { key: serviceToken, body: { query: '{ nothing }' } })
  expect((await entryOf(missing))?.fields).toMatchObject({ status: 400, code: 'invalid_request' })
  const input = 'teamId: "team_00000000000000000000000000", credits: 1, note: "a secret", idempotencyKey: "one"'
  const refused = await app.ask('POST //graphql', {
    key: serviceToken,
    body: { query: `mutation { grantCredits(input: { ${input} }) { __typename } }` },
  })
  const logged = await entryOf(refused)
  expect(logged?.fields).toMatchObject({ status: 200, code: 'invalid_request' })
  expect(JSON.stringify(logged)).not.toContain('secret')
})

test('the log entry of an agent call has its generation, or the code of its refusal', async () => {
  const agent = await anAgent(app.services)
  const { call } = await agentClient(app, agent.value)
  const { quoteId } = (await call('estimate_generation', lamp)).body
  const { generationId } = (await call('start_generation', { ...lamp, quoteId })).body
  await entry((fields) => fields['keyId'] === agent.key.id && fields['generationId'] === generationId)
  await call('get_generation', { generationId: 'gen_00000000000000000000000000' })
  await entry((fields) => fields['keyId'] === agent.key.id && fields['code'] === 'generation_not_found')
})

test('probes of health are logged for debugging only', async () => {
  expect((await entryOf(await app.ask('GET //healthz')))?.level).toBe('debug')
  expect((await entryOf(await app.ask('GET //readyz')))?.level).toBe('debug')
})
