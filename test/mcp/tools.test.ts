import { afterAll, expect, test } from 'vitest'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { type AgentClient, agentClient } from '../support/http/agentClient.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** One key for both doors, of an owner with credits of their own. */
async function aKeyForBoth() {
  const own = await aTeamWithKey(services, { scopes: [...restScopes, 'mcp'], subscriptionActive: true })
  await grantCredits(aServiceContext(services), { userId: own.user.id, credits: 100, note: 'test', idempotencyKey: 'own' })
  return { ...own, agent: await agentClient(app, own.value) }
}

const rest = async (what: string, key: string, body?: unknown) => (await app.ask(what, { key, ...(body ? { body } : {}) })).body

test('tools return the documents of REST', async () => {
  const { agent, value: key } = await aKeyForBoth()
  const { call } = agent
  const same = async (tool: string, given: Record<string, unknown>, what: string) =>
    expect((await call(tool, given)).body).toEqual(await rest(what, key))
  await same('get_family', { familyId: 'sandbox-video' }, 'GET /families/sandbox-video')
  const started = await call('start_generation', { familyId: 'sandbox-audio', prompt: 'hello', reference: 'r1', metadata: { a: 'b' } })
  const { generationId } = started.body
  await same('get_generation', { generationId }, `GET /generations/${generationId}`)
  await same('wait_generation', { generationId, waitSeconds: 0 }, `GET /generations/${generationId}`)
  await same('list_generations', { status: 'active', limit: 3, reference: 'r1' }, 'GET /generations?status=active&limit=3&reference=r1')
  const cancelled = await call('cancel_generation', { generationId })
  expect(cancelled.body).toMatchObject({ cancelled: true, creditsReturned: 0.5 })
  expect((await call('cancel_generation', { generationId })).body).toEqual({ ...cancelled.body, cancelled: false, creditsReturned: 0 })
  const {
    quoteId: _,
    quoteExpiresAt: __,
    ...estimated
  } = (await call('estimate_generation', { familyId: 'sandbox-3d', prompt: 'a cup' })).body as unknown as Record<string, unknown>
  const compared = (await rest('POST /generations/estimate', key, { familyId: 'sandbox-3d', prompt: 'a cup' })) as unknown as object
  expect(estimated).toEqual({ ...compared, creditsAvailable: 100 })
  expect((await call('get_account')).body).toMatchObject({ creditsAvailable: 100, key: { permissions: [...restScopes, 'mcp'] } })
})

test('a file uploaded as base64 can be used in a request', async () => {
  const { agent } = await aKeyForBoth()
  const kept = await agent.call('upload_file', { base64: pixel, mimeType: 'image/png' })
  expect(kept.body).toMatchObject({ state: 'ready', mimeType: 'image/png', usableIn: ['imageIds'] })
  const started = await agent.call('start_generation', { familyId: 'sandbox-image', imageIds: [kept.body.fileId] })
  expect(started.body).toMatchObject({ task: 'image-to-image', inputs: { imageIds: [kept.body.fileId] } })
})

const own = await anAgent(services)
const image = { familyId: 'sandbox-image', prompt: 'x' }

test.each<[string, Record<string, unknown>, string]>([
  ['search_families', { task: 'text-to-smell' }, 'invalid_request'],
  ['search_families', { id: 'x' }, 'invalid_request'],
  ['get_family', { familyId: 'nothing' }, 'family_not_found'],
  ['get_family', {}, 'invalid_request'],
  ['start_generation', { ...image, imageIds: ['https://a.example/x.png'] }, 'file_not_found'],
  ['upload_file', { url: 'https://a.example/x.png', base64: pixel }, 'invalid_request'],
  ['upload_file', { url: 'http://127.0.0.1/x.png' }, 'file_fetch_failed'],
  ['upload_file', { base64: 'PHN2Zz48L3N2Zz4=' }, 'unsupported_file_format'],
  ['estimate_generation', { ...image, axes: { version: 'none' } }, 'invalid_parameters'],
  ['estimate_generation', { ...image, axes: {}, modelId: 'x' }, 'invalid_request'],
  ['estimate_generation', { ...image, imageIds: ['file_x'] }, 'file_not_found'],
  ['start_generation', { ...image, maxCredits: 0.5 }, 'cost_above_limit'],
  ['start_generation', { familyId: 'sandbox-offline', prompt: 'x' }, 'family_unavailable'],
  ['start_generation', { ...image, quoteId: 7 }, 'invalid_request'],
  ['get_generation', { generationId: 'gen_x' }, 'generation_not_found'],
  ['wait_generation', { generationId: 'gen_x', waitSeconds: 1 }, 'generation_not_found'],
  ['wait_generation', { generationId: 'gen_x', waitSeconds: -1 }, 'invalid_request'],
  ['cancel_generation', { generationId: 'gen_x' }, 'generation_not_found'],
  ['list_generations', { cursor: 'x' }, 'invalid_cursor'],
  ['list_generations', { limit: 51 }, 'invalid_request'],
  ['get_account', { teamId: 'x' }, 'invalid_request'],
])('%s with %j is refused with %s and a hint', async (name, given, code) => {
  const { call } = await agentClient(app, own.value, { era: 'legacy' })
  const answer = await call(name, given)
  expect(answer).toMatchObject({
    isError: true,
    body: { error: { code, retryable: expect.any(Boolean), hint: expect.stringMatching(/\w{3}/) } },
  })
  expect(answer.text).toContain(code)
})

test('a generation of another team is unknown', async () => {
  const { agent } = await aKeyForBoth()
  const stranger = await aKeyForBoth()
  const { generationId } = (await stranger.agent.call('start_generation', image)).body
  for (const name of ['get_generation', 'wait_generation', 'cancel_generation'])
    expect((await agent.call(name, { generationId })).body.error.code).toBe('generation_not_found')
})

test('a failed generation is a tool error with its reason and the next step', async () => {
  const { agent } = await aKeyForBoth()
  const { generationId } = (await agent.call('start_generation', image)).body
  await moves.fail(generationId)
  const answer = await agent.call('wait_generation', { generationId })
  expect(answer.isError).toBe(true)
  expect(answer.body).toMatchObject({ generationId, state: 'failed', error: { code: expect.any(String), hint: expect.any(String) } })
  expect(answer.text).toMatch(/Failed: .*\nNext: /s)
})

test('missing credits are a blocker in the estimate and a refusal at the start', async () => {
  const { call } = await agentClient(app, own.value)
  const dear = { familyId: 'sandbox-video', prompt: 'x', axes: { mode: 'quality' }, parameters: { durationSeconds: 10 } }
  const spend = () => call('start_generation', dear)
  await spend()
  await spend()
  expect((await call('estimate_generation', dear)).body).toMatchObject({ sufficient: false, blockers: ['insufficient_credits'] })
  expect((await spend()).body.error).toMatchObject({ code: 'insufficient_credits', details: { credits: 50, creditsAvailable: 0 } })
})

async function listed({ client }: AgentClient) {
  return (await client.listTools()).tools
}

test('the description of a tool has its effect, its cost and the next step', async () => {
  const tools = await listed(await agentClient(app, own.value))
  expect(tools.map(({ name }) => name)).toEqual([
    'search_families',
    'get_family',
    'upload_file',
    'estimate_generation',
    'start_generation',
    'get_generation',
    'wait_generation',
    'cancel_generation',
    'list_generations',
    'get_account',
  ])
  for (const { title, description = '', inputSchema, outputSchema, annotations } of tools) {
    expect(title).toBeTruthy()
    expect(description.length).toBeGreaterThan(100)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    for (const combined of ['oneOf', 'anyOf', 'allOf']) expect(inputSchema).not.toHaveProperty(combined)
    expect(outputSchema).toMatchObject({ type: 'object' })
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('$ref')
    expect(Object.keys(outputSchema?.['properties'] ?? {})).toContain('error')
    expect(Object.keys(annotations ?? {})).toEqual(['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])
  }
  const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name)
  expect(changing).toEqual(['upload_file', 'start_generation', 'cancel_generation'])
  expect(tools.find(({ name }) => name === 'start_generation')?.inputSchema).toMatchObject({ required: ['familyId'] })
  expect(JSON.stringify(tools).length).toBeLessThan(25_000)
})

test('arguments have the schemas of REST', async () => {
  const document = JSON.parse((await app.ask('GET /openapi.json', { key: (await aTeamWithKey(services)).value })).text)
  const tools = await listed(await agentClient(app, own.value))
  const request = document.components.schemas.GenerationRequest
  const fields = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties
  expect(fields('estimate_generation')).toMatchObject({ familyId: request.properties.familyId, maxCredits: request.properties.maxCredits })
  // An agent names no callback.
  const names = Object.keys(request.properties).filter((name) => name !== 'webhook')
  expect(Object.keys(fields('estimate_generation') ?? {})).toEqual(names)
  expect(Object.keys(fields('start_generation') ?? {})).toEqual([...names, 'quoteId'])
  expect(Object.keys(fields('upload_file') ?? {})).toEqual(Object.keys(document.components.schemas.FileRequest.properties))
})
