import { execute, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import type { Actor } from '../../src/domain/access/actor.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { spenderOf } from '../../src/domain/access/spender.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { type Context, contextFor } from '../../src/domain/context.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { refusalOf } from '../../src/domain/sql.ts'
import { schema } from '../../src/schema/schema.ts'
import { actorOf, anAgent, aServiceContext, aTeamWithKey, aUser } from '../support/factories.ts'
import { endAtOnce } from '../support/generations/generationTransitions.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const operator = aServiceContext(services)
const own = await aTeamWithKey(services)
const second = await issueKey(operator, { teamId: own.team.id, userId: own.user.id, name: 'second', scopes: ['generations:write'] })
const member = await aUser(services)
await setTeamMember(operator, { teamId: own.team.id, userId: member.id, role: 'member' })

const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 10, sha256: '', width: 128, height: 128, durationSeconds: null }
const as = (userId: string): Actor => ({ kind: 'person', userId })

type Node = Record<string, unknown> & { generationId: string }
type Page = { nodes: Node[]; lookedBackTo: string | null; pageInfo: { hasNextPage: boolean; endCursor: string | null } }
type Asked = { data: Record<string, never> | null | undefined; codes: (string | undefined)[]; statements: string[] }

/** Runs an operation like REST and MCP do, and returns the names of its statements. */
async function asked(
  actor: Actor,
  source: string,
  variableValues: Record<string, unknown> = {},
  waits: () => void = () => undefined,
): Promise<Asked> {
  const context = contextFor(services, actor)
  const statements: string[] = []
  const all: Context['sql']['all'] = (statement, values) => {
    statements.push(statement.name)
    return context.sql.all(statement, values)
  }
  const contextValue = {
    context: { ...context, sql: { ...context.sql, all } },
    get signal() {
      waits()
      return new AbortController().signal
    },
  }
  const { data, errors = [] } = await execute({ schema, document: parse(source), contextValue, variableValues })
  return { data: data as Asked['data'], codes: errors.map(({ cause }) => refusalOf(cause)?.code), statements }
}

async function aStart(key = own.key, extra: object = {}): Promise<string> {
  const actor = actorOf(key)
  const request = { familyId: 'sandbox-image', prompt: 'a boat', ...extra }
  const { generation } = await startGeneration(contextFor(services, actor), spenderOf(actor), { request, idempotencyKey: undefined })
  return String(generation['generationId'])
}

const ready = await aStart(own.key, { reference: 'order' })
const failed = await aStart(second.apiKey)
const queued = await aStart(second.apiKey, { familyId: 'sandbox-audio', reference: 'order' })
await endAtOnce(own.context, ready, { to: 'ready', result: image })
await endAtOnce(own.context, failed, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
const edited = (
  await recordEditorGeneration(operator, {
    teamId: own.team.id,
    userId: own.user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'running',
  })
).generationId

const list = `query ($id: ID!, $state: GenerationState, $status: GenerationStatus, $source: GenerationSource, $familyId: ID, $apiKeyId: ID, $reference: String, $outputType: OutputType, $first: Int, $after: String) {
  team(id: $id) { generations(state: $state, status: $status, source: $source, familyId: $familyId, apiKeyId: $apiKeyId, reference: $reference, outputType: $outputType, first: $first, after: $after) {
    nodes { generationId credits apiKey { id name prefix } startedBy { userId name } result { url urlExpiresAt } } lookedBackTo pageInfo { hasNextPage endCursor } } } }`

async function page(filter: object, by = member.id): Promise<Page> {
  const { data, codes } = await asked(as(by), list, { id: own.team.id, ...filter })
  expect(codes).toEqual([])
  return (data as unknown as { team: { generations: Page } }).team.generations
}

const count = list
  .replace('$first: Int, $after: String', '$search: String, $createdAfter: DateTime')
  .replace('generations(', 'generationCount(')
  .replace('first: $first, after: $after', 'search: $search, createdAfter: $createdAfter')
  .replace(/nodes .*endCursor } /, 'count isComplete ')

async function countOf(filter: object, by = member.id) {
  const { data, codes } = await asked(as(by), count, { id: own.team.id, ...filter })
  expect(codes).toEqual([])
  return (data as unknown as { team: { generationCount: { count: number; isComplete: boolean } } }).team.generationCount
}

const filters: [filter: object, ids: string[]][] = [
  [{}, [edited, queued, failed, ready]],
  [{ state: 'FAILED' }, [failed]],
  [{ status: 'ACTIVE' }, [edited, queued]],
  [{ status: 'ACTIVE', state: 'READY' }, []],
  [{ source: 'EDITOR' }, [edited]],
  [{ source: 'REST' }, [queued, failed, ready]],
  [{ source: 'REST', state: 'QUEUED' }, [queued]],
  [{ source: 'EDITOR', apiKeyId: own.key.id }, []],
  [{ familyId: 'sandbox-image' }, [failed, ready]],
  [{ familyId: 'sandbox-image', apiKeyId: second.apiKey.id }, [failed]],
  [{ apiKeyId: second.apiKey.id }, [queued, failed]],
  [{ apiKeyId: 'no key' }, []],
  [{ reference: 'order' }, [queued, ready]],
  [{ outputType: 'IMAGE' }, [failed, ready]],
  [{ outputType: 'TEXT', source: 'EDITOR' }, [edited]],
  [{ reference: 'order', apiKeyId: own.key.id, state: 'READY' }, [ready]],
]

test.each(filters)('a member filters the history by %j', async (filter, ids) => {
  const found = await page(filter)
  expect([found.nodes.map(({ generationId }) => generationId), found.pageInfo.hasNextPage]).toEqual([ids, false])
  expect(await countOf(filter)).toEqual({ count: ids.length, isComplete: true })
  const [first, ...others] = ids
  if (first === undefined || others.length === 0) return
  const newest = await page({ ...filter, first: 1 })
  expect(Date.parse(String(newest.lookedBackTo)) / 1000).toBeCloseTo(Date.now() / 1000, -2)
  const rest = await page({ ...filter, after: newest.pageInfo.endCursor })
  expect(rest.nodes.map(({ generationId }) => generationId)).toEqual(others)
})

test('a cursor is valid only for its filter and its team', async () => {
  const { pageInfo } = await page({ source: 'REST', first: 1 })
  for (const filter of [{}, { source: 'EDITOR' }, { source: 'REST', state: 'READY' }, { familyId: 'rest' }]) {
    const { codes } = await asked(as(member.id), list, { id: own.team.id, ...filter, after: pageInfo.endCursor })
    expect(codes).toEqual(['invalid_cursor'])
  }
})

test('the history has starter, key and price of each generation, with one statement for a page', async () => {
  const { data, statements } = await asked(as(member.id), list, { id: own.team.id })
  const { nodes } = (data as unknown as { team: { generations: Page } }).team.generations
  const key = ({ id, name, prefix }: typeof own.key) => ({ id, name, prefix })
  const startedBy = { userId: own.user.id, name: own.user.name }
  expect(nodes).toMatchObject([
    { generationId: edited, apiKey: null, startedBy, credits: 0 },
    { generationId: queued, apiKey: key(second.apiKey), startedBy },
    { generationId: failed, apiKey: key(second.apiKey), startedBy, credits: 1 },
    { generationId: ready, apiKey: key(own.key), startedBy, credits: 1 },
  ])
  expect(statements.filter((name) => name === 'generation_origins')).toHaveLength(1)
})

const read = 'query ($id: ID!) { generation(id: $id) { generationId result { urlExpiresAt } } }'
const cancel = 'mutation ($id: ID!) { cancelGeneration(id: $id) { state cancelled creditsReturned } }'

test('every member reads a generation, with a link of their own', async () => {
  const { data } = await asked(as(member.id), read, { id: ready })
  const { urlExpiresAt } = (data as unknown as { generation: { result: { urlExpiresAt: string } } }).generation.result
  expect(Date.parse(urlExpiresAt) - services.clock.now().getTime()).toBe(15 * 60_000)
})

test('a foreign, an unknown and an invalid identifier get the same refusal', async () => {
  const stranger = await aTeamWithKey(services)
  for (const id of [ready, edited, newId('gen'), 'gen_x', '']) {
    for (const source of [read, cancel]) expect((await asked(as(stranger.user.id), source, { id })).codes).toEqual(['access_denied'])
  }
})

test('owners and administrators cancel work; members cannot, and nobody cancels work of the editor', async () => {
  const id = await aStart()
  expect((await asked(as(member.id), cancel, { id })).codes).toEqual(['access_denied'])
  await setTeamMember(operator, { teamId: own.team.id, userId: member.id, role: 'admin' })
  expect((await asked(as(member.id), cancel, { id: edited })).codes).toEqual(['not_cancellable'])
  expect((await asked(as(member.id), cancel, { id })).data).toEqual({
    cancelGeneration: { state: 'CANCELLED', cancelled: true, creditsReturned: 1 },
  })
  await setTeamMember(operator, { teamId: own.team.id, userId: member.id, role: 'member' })
})

test('a former member sees nothing of the team, and an open wait is refused', async () => {
  const leaver = await aUser(services)
  const place = { teamId: own.team.id, userId: leaver.id }
  await setTeamMember(operator, { ...place, role: 'member' })
  const begun = Promise.withResolvers<void>()
  const waiting = asked(as(leaver.id), 'query ($id: ID!) { generation(id: $id, waitSeconds: 20) { state } }', { id: queued }, begun.resolve)
  await begun.promise
  await removeTeamMember(operator, place)
  await endAtOnce(own.context, queued, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
  expect((await waiting).codes).toEqual(['generation_not_found'])
  expect((await asked(as(leaver.id), list, { id: own.team.id })).codes).toEqual(['access_denied'])
})

test('a person without a team has their own history', async () => {
  const { user: agent, context, spender } = await anAgent(services)
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  const id = (await startGeneration(context, spender, { request, idempotencyKey: undefined })).generation['generationId']
  const history = 'query ($id: ID!) { user(id: $id) { generations(source: MCP) { nodes { generationId apiKey { name } } } } }'
  expect((await asked(as(agent.id), history, { id: agent.id })).data).toEqual({
    user: { generations: { nodes: [{ generationId: id, apiKey: { name: 'agent' } }] } },
  })
  expect((await asked(as(own.user.id), history, { id: agent.id })).codes).toEqual(['access_denied'])
  expect((await asked(as(own.user.id), read, { id })).codes).toEqual(['access_denied'])
  expect((await asked(as(agent.id), cancel, { id })).data).toMatchObject({ cancelGeneration: { cancelled: true } })
})
