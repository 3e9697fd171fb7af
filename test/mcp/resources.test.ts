import type { Client } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { rpc, sendToAgents } from '../support/http/agentMessages.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const image = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

const generationAt = (generationId: string) => `atelier://generations/${generationId}`

async function documentAt(client: Client, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri })
  const [first] = contents
  expect(first).toMatchObject({ uri, mimeType: 'application/json' })
  return JSON.parse(first && 'text' in first ? first.text : '')
}

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  test('lists the families that search_families shows, and the generations of the history', async () => {
    const { client, call } = await agentClient(app, (await anAgent(services)).value, { era })
    const { generationId } = (await call('start_generation', image)).body
    const families = (await call('search_families')).body.items.map(({ id }) => String(id)).toSorted()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([...families.map((id) => `atelier://families/${id}`), generationAt(generationId)])
    for (const { title, description, mimeType } of resources) {
      expect(mimeType).toBe('application/json')
      expect(title).toBeTruthy()
      expect(description).toMatch(/\w{3}/)
    }
    expect(resources.at(-1)).toMatchObject({ name: generationId, title: 'image: a lighthouse' })
  })

  test('reads the documents of REST, and the link of what is ready', async () => {
    const { client, call } = await agentClient(app, (await anAgent(services)).value, { era })
    expect(await documentAt(client, 'atelier://families/sandbox-video')).toEqual(
      (await call('get_family', { familyId: 'sandbox-video' })).body,
    )
    const { generationId } = (await call('start_generation', image)).body
    expect((await client.readResource({ uri: generationAt(generationId) })).contents).toHaveLength(1)
    await moves.begin(generationId)
    await moves.gather(generationId)
    await moves.finish(generationId, Buffer.from('a picture'))
    const shown = (await call('get_generation', { generationId })).body
    const { contents } = await client.readResource({ uri: generationAt(generationId) })
    const [document, link] = contents.map((each) => ('text' in each ? each.text : ''))
    const read = JSON.parse(document ?? '')
    expect(read).toEqual({ ...shown, result: { ...shown.result, url: read.result.url } })
    expect(link).toBe(`${read.result.url}\r\n`)
    expect(contents[1]).toMatchObject({ uri: read.result.url, mimeType: 'text/uri-list' })
    expect(await (await fetch(read.result.url)).text()).toBe('a picture')
  })

  test('is given templates, and completes what they leave open', async () => {
    const { client, call } = await agentClient(app, (await anAgent(services)).value, { era })
    const { generationId } = (await call('start_generation', image)).body
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'atelier://families/{familyId}',
      'atelier://generations/{generationId}',
    ])
    for (const { title, description = '' } of resourceTemplates) {
      expect(title).toBeTruthy()
      expect(description.length).toBeGreaterThan(100)
    }
    const completed = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion
    const [family = '', generation = ''] = resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    expect((await completed(family, 'familyId', 'box-vid')).values).toEqual(['sandbox-video'])
    expect(await completed(generation, 'generationId', 'gen_')).toMatchObject({ values: [generationId], hasMore: false })
    expect((await completed(generation, 'generationId', 'gen_x')).values).toEqual([])
    expect((await completed(generation, 'familyId', '')).values).toEqual([])
    await expect(completed('atelier://nothing/{id}', 'id', '')).rejects.toMatchObject({ code: -32602 })
  })

  test("is told of an unknown resource, and of another's, that it is not there", async () => {
    const stranger = await agentClient(app, (await anAgent(services)).value, { era })
    const { generationId } = (await stranger.call('start_generation', image)).body
    const { client } = await agentClient(app, (await anAgent(services)).value, { era })
    expect((await client.listResources()).resources.some(({ uri }) => uri.startsWith('atelier://generations/'))).toBe(false)
    const foreign = {
      ref: { type: 'ref/resource' as const, uri: generationAt('{generationId}') },
      argument: { name: 'generationId', value: '' },
    }
    expect((await client.complete(foreign)).completion.values).toEqual([])
    const unknown = ['gen_x', generationId, '../families/sandbox-image', '', `${generationId}/`, `${generationId}?x`, '%00'].map(
      generationAt,
    )
    const elsewhere = [
      'atelier://families/nothing',
      'atelier://families/__proto__',
      'atelier://x',
      'file:///etc/passwd',
      'x'.repeat(10_000),
    ]
    for (const uri of [...unknown, ...elsewhere])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } })
  })
})

test('lists the 200 newest generations in pages, each once, and completes from the first page', async () => {
  const { value, user, context, spender } = await anAgent(services)
  await grantCredits(aServiceContext(services), { userId: user.id, credits: 200, note: 'test', idempotencyKey: 'more' })
  const keys = Array.from({ length: 210 }, (_, index) => `start ${index}`)
  const starts = keys.map((idempotencyKey) => startGeneration(context, spender, { request: image, idempotencyKey }))
  const started = (await Promise.all(starts)).map(({ generation }) => generation.generationId)
  const newest = started.toSorted().toReversed()
  const { client } = await agentClient(app, value)
  const pages: Awaited<ReturnType<typeof client.listResources>>[] = []
  do {
    const body = rpc('resources/list', { cursor: pages.at(-1)?.nextCursor })
    const { message } = await sendToAgents(app, { key: value, revision: '2025-11-25', body })
    pages.push(message.result as unknown as (typeof pages)[number])
  } while (pages.at(-1)?.nextCursor)
  const listed = pages.map(({ resources }) => resources.filter(({ uri }) => uri.startsWith(generationAt(''))).map(({ name }) => name))
  expect(listed.map(({ length }) => length)).toEqual([50, 50, 50, 50])
  expect(listed.flat()).toEqual(newest.slice(0, 200))
  expect(pages.map(({ resources }) => resources.some(({ uri }) => uri.startsWith('atelier://families/')))).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect((await client.listResources()).resources.length).toBe(pages.flatMap(({ resources }) => resources).length)
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: generationAt('{generationId}') },
    argument: { name: 'generationId', value: 'gen_' },
  })
  expect(completion).toMatchObject({ values: newest.slice(0, 50), hasMore: true })
})

test('an invalid cursor and a cursor of another list or person are refused', async () => {
  const { client, call } = await agentClient(app, (await anAgent(services)).value)
  await call('start_generation', image)
  await call('start_generation', image)
  const { nextCursor } = (await call('list_generations', { limit: 1 })).body
  const stranger = await agentClient(app, (await anAgent(services)).value)
  const taken = (by: Client, cursor: string) => by.listResources({ cursor }).then(({ resources }) => resources.length)
  expect(await taken(client, `1:${nextCursor}`)).toBe(1)
  for (const cursor of ['x', '', '1:', '1:x', `${nextCursor}`, `4:${nextCursor}`, `-1:${nextCursor}`])
    await expect(taken(client, cursor)).rejects.toMatchObject({ code: -32602 })
  await expect(taken(stranger.client, `1:${nextCursor}`)).rejects.toMatchObject({
    code: -32602,
    data: { error: { code: 'invalid_cursor' } },
  })
})

test.each(['2025-06-18', '2025-03-26'])('a raw client of %s is served the same', async (revision) => {
  const { value: key } = await anAgent(services)
  const result = async (method: string, params: object) => (await sendToAgents(app, { key, revision, body: rpc(method, params) })).message
  const initialize = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  expect(await result('initialize', initialize)).toMatchObject({ result: { capabilities: { resources: {}, completions: {} } } })
  expect(await result('resources/list', {})).toMatchObject({ result: { resources: expect.arrayContaining([expect.anything()]) } })
  expect(await result('resources/templates/list', {})).toMatchObject({
    result: { resourceTemplates: [{ name: 'family' }, { name: 'generation' }] },
  })
  const uri = 'atelier://families/sandbox-3d'
  expect(await result('resources/read', { uri })).toMatchObject({
    result: { contents: [{ uri, text: expect.stringContaining('sandbox-3d') }] },
  })
  expect(await result('resources/read', { uri: `${uri}x` })).toMatchObject({ error: { code: -32602, data: { uri: `${uri}x` } } })
  const asked = { ref: { type: 'ref/resource', uri: 'atelier://families/{familyId}' }, argument: { name: 'familyId', value: 'sandbox-3' } }
  expect(await result('completion/complete', asked)).toMatchObject({ result: { completion: { values: ['sandbox-3d'] } } })
  const broken: [string, object][] = [
    ['resources/read', {}],
    ['resources/read', { uri: 7 }],
    ['resources/list', { cursor: 7 }],
    ['tools/list', { cursor: {} }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } }],
    ['completion/complete', { ref: { type: 'x' } }],
  ]
  for (const [method, params] of broken) expect(await result(method, params)).toMatchObject({ error: { code: -32602 } })
})
