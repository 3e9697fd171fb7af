import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)

/** An owner with credits of their own beside those of the team, a key of it for REST and one for agents. */
async function anOwner() {
  const own = await aTeamWithKey(services, { subscriptionActive: true })
  await grantCredits(operator, { userId: own.user.id, credits: 50, note: 'test', idempotencyKey: 'own' })
  const { value } = await issueKey(operator, { teamId: own.team.id, userId: own.user.id, name: 'agent', scopes: ['mcp'] })
  return { ...own, agentKey: value }
}

test.each(['modern', 'legacy'] as const)(
  'an agent of a %s client finds a model, knows the price, makes media, hands the file on, and cancels; the person pays, the team sees it',
  async (era) => {
    const { agentKey, value: restKey } = await anOwner()
    const { call } = await agentClient(app, agentKey, { era })

    const families = await call('search_families', { task: 'text-to-image', query: 'sandbox image' })
    expect(families.text).toContain('sandbox-image')
    const familyId = families.body.items[0]?.id
    const work = { familyId, prompt: 'a lighthouse', axes: { version: 'standard' } }
    const quote = await call('estimate_generation', work)
    expect(quote.body).toMatchObject({ credits: 2, creditsAvailable: 50, sufficient: true, quoteId: expect.stringMatching(/^quote_/) })

    const started = await call('start_generation', { ...work, quoteId: quote.body.quoteId })
    expect(started.body).toMatchObject({ creditsHeld: 2, source: 'mcp', replayed: false })
    const { generationId } = started.body
    const done = await call('wait_generation', { generationId })
    expect(done.body).toMatchObject({ state: 'ready', creditsCharged: 2, result: { mimeType: 'image/png' } })
    const link = done.content.find(({ type }) => type === 'resource_link')
    expect(link).toMatchObject({
      uri: done.body.result?.url,
      name: `${generationId}.png`,
      mimeType: 'image/png',
      size: done.body.result?.sizeBytes,
    })
    const bytes = Buffer.from(await (await fetch(String(done.body.result?.url))).arrayBuffer())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.length).toBe(done.body.result?.sizeBytes)

    const other = await call('start_generation', { ...work, parameters: { runSeconds: 60 } })
    const cancelled = await call('cancel_generation', { generationId: other.body.generationId })
    expect(cancelled.body).toMatchObject({ state: 'cancelled', cancelled: true })

    const history = await app.ask('GET /generations', { key: restKey })
    expect(history.body.items.map((each) => [each.generationId, each.state, each.source])).toEqual([
      [other.body.generationId, 'cancelled', 'mcp'],
      [generationId, 'ready', 'mcp'],
    ])
    expect((await call('list_generations')).body.items.map((each) => each.generationId)).toEqual([other.body.generationId, generationId])
    expect((await app.ask('GET /account', { key: restKey })).body.creditsAvailable).toBe(1000)
    const spent = 2 + cancelled.body.creditsCharged
    expect((await call('get_account')).body).toMatchObject({ creditsAvailable: 50 - spent })
    expect(await checkBooks(operator)).toMatchObject({ clean: true })
  },
)
