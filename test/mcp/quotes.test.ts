import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { pruneQuotes } from '../../src/domain/generations/retention/pruneQuotes.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext } from '../support/factories.ts'
import { type AgentClient, agentClient } from '../support/http/agentClient.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const second = await testApp({ databaseUrl: app.databaseUrl, clock })
afterAll(second.close)
const operator = aServiceContext(services)
const minute = 60_000
const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

async function aQuote({ call }: AgentClient, asked: object = work): Promise<string> {
  return (await call('estimate_generation', { ...asked })).body.quoteId
}

test('ten sequential repeats of one start make one generation', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  const seen = []
  for (let times = 0; times < 10; times += 1) seen.push(await agent.call('start_generation', { ...work, quoteId }))
  expect(new Set(seen.map(({ body }) => body.generationId)).size).toBe(1)
  expect(seen.map(({ body }) => body.replayed)).toEqual([false, ...Array.from({ length: 9 }, () => true)])
  expect((await agent.call('get_account')).body.creditsAvailable).toBe(99)
})

test('of 50 concurrent starts with one quote in two processes, one starts and holds once', async () => {
  const { value } = await anAgent(services)
  const agents = [await agentClient(app, value), await agentClient(second, value)] as const
  const quoteId = await aQuote(agents[0])
  const start = (index: number) => agents[index % 2 === 0 ? 0 : 1].call('start_generation', { ...work, quoteId })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => start(index)))
  const made = answers.filter(({ isError }) => !isError)
  expect(new Set(made.map(({ body }) => body.generationId)).size).toBe(1)
  expect(made.filter(({ body }) => !body.replayed)).toHaveLength(1)
  for (const { body } of answers.filter(({ isError }) => isError))
    expect(body.error).toMatchObject({ code: 'idempotency_in_progress', retryable: true })
  expect((await agents[1].call('list_generations')).body.items).toHaveLength(1)
  expect((await agents[1].call('get_account')).body.creditsAvailable).toBe(99)
  expect(await checkBooks(operator)).toMatchObject({ clean: true })
})

test('a start with a lost response is found by its quote, also after the quote has expired', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  const leaving = new AbortController()
  const lost = agent.call('start_generation', { ...work, quoteId }, { signal: leaving.signal }).catch(() => undefined)
  leaving.abort()
  await lost
  const first = await agent.call('start_generation', { ...work, quoteId })
  await clock.advance(11 * minute)
  const again = await agent.call('start_generation', { ...work, quoteId })
  expect(again).toMatchObject({ isError: false, body: { generationId: first.body.generationId, replayed: true } })
  expect((await agent.call('list_generations')).body.items).toHaveLength(1)
})

test('a quote that has expired or belongs to another key or request starts nothing', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const stranger = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  const unknown = { code: 'invalid_request', retryable: false, details: { issues: [{ path: ['quoteId'], code: 'not_allowed' }] } }
  const refusedAs = async (by: AgentClient, asked: object) => (await by.call('start_generation', { ...asked })).body.error
  expect(await refusedAs(stranger, { ...work, quoteId })).toMatchObject(unknown)
  expect(await refusedAs(agent, { ...work, quoteId: 'quote_x' })).toMatchObject(unknown)
  expect(await refusedAs(agent, { ...work, prompt: 'another', quoteId })).toMatchObject({
    code: 'idempotency_conflict',
    details: { idempotencyKey: quoteId },
  })
  await clock.advance(10 * minute)
  expect(await refusedAs(agent, { ...work, quoteId })).toMatchObject(unknown)
  expect((await agent.call('list_generations')).body.items).toEqual([])
})

test('a start with a quote may have its own maxCredits, reference and metadata', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  const tooDear = await agent.call('start_generation', { ...work, quoteId, maxCredits: 0.5 })
  expect(tooDear.body.error).toMatchObject({ code: 'cost_above_limit', details: { credits: 1, maxCredits: 0.5 } })
  const started = await agent.call('start_generation', { ...work, quoteId, maxCredits: 1, reference: 'mine' })
  expect(started.body).toMatchObject({ reference: 'mine', replayed: false })
})

test('a price that has risen since the quote is not charged', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  await services.pool.query('update quotes set price = 50 where id = $1', [quoteId])
  const { body } = await agent.call('start_generation', { ...work, quoteId })
  expect(body.error).toMatchObject({ code: 'cost_above_limit', retryable: false, details: { credits: 1, maxCredits: 0.5 } })
})

test('a used quote is deleted after the record of its start', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  await agent.call('start_generation', { ...work, quoteId })
  for (const minutes of [90, 24 * 60 - 90]) {
    await clock.advance(minutes * minute)
    await pruneQuotes(operator)
    expect(await isKept(quoteId)).toBe(true)
  }
  await clock.advance(61 * minute)
  await pruneQuotes(operator)
  expect(await isKept(quoteId)).toBe(false)
})

test('an unused quote is deleted after an hour', async () => {
  const agent = await agentClient(app, (await anAgent(services)).value)
  const quoteId = await aQuote(agent)
  await clock.advance(59 * minute)
  await pruneQuotes(operator)
  expect(await isKept(quoteId)).toBe(true)
  await clock.advance(2 * minute)
  await pruneQuotes(operator)
  expect(await isKept(quoteId)).toBe(false)
})

async function isKept(quoteId: string): Promise<boolean> {
  return (await services.pool.query('select from quotes where id = $1', [quoteId])).rowCount === 1
}
