import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { anAgent } from '../support/factories.ts'
import { type AgentClient, agentClient } from '../support/http/agentClient.ts'

/** The whole shipped catalog, as with the keys of all vendors. */
const app = await testApp({ catalogFolder: join(import.meta.dirname, '../../catalog') })
afterAll(app.close)
const { value: key } = await anAgent(app.services)

const idsOf = (answer: Awaited<ReturnType<AgentClient['call']>>) => answer.body.items.map((each) => String(each.id))

test.each([
  ['text to speech', /speech/],
  ['photo', /image|banana|flux/],
  ['3d model', /3d|trellis/],
  ['3d model from a photo', /3d|trellis/],
  ['make a logo', /image|banana|flux/],
  ['animate a picture', /video|kling|omni|veo|wan/],
  ['a song', /music|ace-step|audio/],
  ['sound effects', /sound|audio/],
  ['voice-over', /speech/],
  ['Kling', /kling/],
])('a search for "%s" finds families for it, best match first', async (query, ids) => {
  const { call } = await agentClient(app, key)
  const answer = await call('search_families', { query })
  expect(idsOf(answer)[0]).toMatch(ids)
  expect(answer.text).toContain('best match first')
  expect(answer.body.items[0]).toEqual({
    id: expect.any(String),
    name: expect.any(String),
    tasks: expect.any(Array),
    creditsFrom: expect.any(Number),
    available: true,
    why: expect.stringMatching(/\w{3}/),
  })
})

test('a search with a misspelt or unknown word returns near matches and says so', async () => {
  const { call } = await agentClient(app, key)
  for (const [query, id] of [
    ['speach', /speech/],
    ['photorealistic speech of a robot', /speech/],
  ] as const) {
    const answer = await call('search_families', { query })
    expect(idsOf(answer)[0]).toMatch(id)
    expect(answer.text).toContain('The nearest ones')
    expect(answer.body.items[0]).toMatchObject({ why: expect.stringContaining('Near match') })
  }
})

test('words that match nothing keep the families of the other filters; without filters the tasks are listed', async () => {
  const { call } = await agentClient(app, key)
  const filtered = await call('search_families', { task: 'text-to-music', query: 'zzyzx' })
  expect(idsOf(filtered).length).toBeGreaterThan(0)
  expect(filtered.text).toContain('The nearest ones')
  const none = await call('search_families', { query: 'zzyzx' })
  expect(none.body.items).toEqual([])
  expect(none.text).toContain('text-to-3d')
})

test('every search stays below 6,000 characters, and an open one shows a family for every task of the catalog', async () => {
  const { client } = await agentClient(app, key)
  const { families } = app.services.catalog
  for (const given of [{}, { query: 'image' }, { query: 'video from text' }, { outputType: 'image' }, { query: 'a' }]) {
    const result = await client.callTool({ name: 'search_families', arguments: given })
    expect(JSON.stringify(result).length).toBeLessThan(6_000)
    if (Object.keys(given).length > 0) continue
    const { items } = result.structuredContent as { items: { tasks: string[] }[] }
    const shown = new Set(items.flatMap(({ tasks }) => tasks))
    expect(
      [...families.values()].filter(({ available }) => available).flatMap(({ tasks }) => tasks.filter((task) => !shown.has(task))),
    ).toEqual([])
  }
})

test('families that cannot be used come last, with the reason', async () => {
  const { call } = await agentClient(app, key)
  const { body, text } = await call('search_families', { query: 'sandbox' })
  const locked = body.items.map(({ available }) => available)
  expect(locked).toEqual(locked.toSorted((left, right) => Number(right) - Number(left)))
  expect(body.items.at(-1)).toMatchObject({ available: false, lockReason: 'temporarily_unavailable' })
  expect(text).toContain('NOT AVAILABLE: temporarily_unavailable')
})
