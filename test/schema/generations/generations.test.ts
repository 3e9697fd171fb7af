import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aTeam, aTeamWithKey } from '../../support/factories.ts'
import { endAtOnce } from '../../support/generations/generationTransitions.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const start = `mutation ($teamId: ID!, $input: GenerationInput!, $key: String) {
  startGeneration(teamId: $teamId, input: $input, idempotencyKey: $key) { replayed generation { generationId state outputType source axes parameters creditsHeld json } } }`
const boat = { familyId: 'sandbox-image', prompt: 'a boat', axes: { version: 'standard' }, parameters: { width: 128, height: 128 } }
const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 10, sha256: '', width: 128, height: 128, durationSeconds: null }

type Started = { startGeneration: { generation: { generationId: string } } }

async function started(teamId: string, input: object = boat): Promise<string> {
  return (await dataOf<Started>(start, { teamId, input })).startGeneration.generation.generationId
}

test('an internal tool estimates, starts, reads and cancels for the team that it names', async () => {
  const { team } = await aTeam(services, { credits: 100 })
  const estimate =
    'query ($teamId: ID!, $input: GenerationInput!) { estimate(teamId: $teamId, input: $input) { credits creditsAvailable sufficient blockers variant { modelId axes } breakdown { unit quantity credits } } }'
  expect(await dataOf(estimate, { teamId: team.id, input: boat })).toMatchObject({
    estimate: { credits: 2, creditsAvailable: 100, sufficient: true, blockers: [] },
  })
  const begun = await dataOf<Started>(start, { teamId: team.id, input: boat, key: 'once' })
  expect(begun.startGeneration).toMatchObject({
    replayed: false,
    generation: { state: 'QUEUED', outputType: 'IMAGE', source: 'REST', axes: { version: 'standard' }, creditsHeld: 2 },
  })
  const repeated = await dataOf<Started>(start, { teamId: team.id, input: boat, key: 'once' })
  expect(repeated.startGeneration).toEqual({ ...begun.startGeneration, replayed: true })
  const id = begun.startGeneration.generation.generationId
  const look =
    'query ($id: ID!) { generation(id: $id) { generationId state creditsCharged pollAfterSeconds result { url } error { code } inputs { imageIds } } }'
  expect(await dataOf(look, { id })).toEqual({
    generation: {
      generationId: id,
      state: 'QUEUED',
      creditsCharged: null,
      pollAfterSeconds: expect.any(Number),
      result: null,
      error: null,
      inputs: { imageIds: [] },
    },
  })
  const cancel = 'mutation ($id: ID!) { cancelGeneration(id: $id) { generationId state cancelled creditsCharged creditsReturned } }'
  expect(await dataOf(cancel, { id })).toEqual({
    cancelGeneration: { generationId: id, state: 'CANCELLED', cancelled: true, creditsCharged: 0, creditsReturned: 2 },
  })
  expect(await dataOf(cancel, { id })).toMatchObject({ cancelGeneration: { state: 'CANCELLED', cancelled: false } })
})

test.each([
  ['{ estimate(input: { familyId: "sandbox-image", prompt: "x" }) { credits } }', 'team_required'],
  ['{ generations { nodes { state } } }', 'team_required'],
  ['{ account { creditsAvailable } }', 'invalid_request'],
  [`{ account(teamId: "${newId('team')}") { creditsAvailable } }`, 'invalid_request'],
  [`{ estimate(teamId: "${newId('team')}", input: { familyId: "sandbox-image", prompt: "x" }) { credits } }`, 'invalid_request'],
  [
    `mutation { startGeneration(teamId: "${newId('team')}", input: { familyId: "sandbox-image", prompt: "x" }) { replayed } }`,
    'invalid_request',
  ],
  [`{ generation(id: "${newId('gen')}") { state } }`, 'generation_not_found'],
  ['{ generation(id: "gen_%00") { state } }', 'generation_not_found'],
  ['{ generation(id: "x", waitSeconds: 61) { state } }', 'invalid_request'],
  ['{ generation(id: "x", waitSeconds: -1) { state } }', 'invalid_request'],
  [`mutation { cancelGeneration(id: "${newId('gen')}") { state } }`, 'generation_not_found'],
])('%s is refused with %s', async (query, code) => {
  const { errors } = await ask(query)
  expect(errors.map(({ extensions }) => extensions.code)).toEqual([code])
})

test('literals are validated like variables, __proto__ included', async () => {
  const { team } = await aTeam(services)
  const withParameters = (parameters: string) =>
    ask(
      `query { estimate(teamId: "${team.id}", input: { familyId: "sandbox-image", prompt: "x", parameters: ${parameters} }) { credits } }`,
    )
  expect(await withParameters('{ width: 64, outputFormat: "png" }')).toMatchObject({ data: { estimate: { credits: 1 } }, errors: [] })
  expect((await withParameters('{ __proto__: { width: 64 } }')).errors).toMatchObject([{ extensions: { code: 'invalid_parameters' } }])
  expect((await withParameters('[1]')).errors).toMatchObject([
    { extensions: { code: 'invalid_request', details: { issues: [{ path: ['parameters'], code: 'wrong_type' }] } } },
  ])
  expect((await withParameters('null')).errors).toMatchObject([{ extensions: { code: 'invalid_request' } }])
})

test('the history of a team is one connection with the cursors of REST, filtered by status', async () => {
  const { team, context, spender } = await aTeamWithKey(services)
  const ids = [await started(team.id), await started(team.id), await started(team.id)]
  await endAtOnce(context, String(ids[0]), { to: 'ready', result: image })
  const list = `query ($id: ID!, $first: Int, $after: String, $status: GenerationStatus) {
    team(id: $id) { generations(first: $first, after: $after, status: $status) { edges { cursor } nodes { generationId state result { type width url } reusableAs } pageInfo { hasNextPage endCursor startCursor } } } }`
  type Page = { nodes: Record<string, unknown>[]; edges: { cursor: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
  const page = async (args: object) => (await dataOf<{ team: { generations: Page } }>(list, { id: team.id, ...args })).team.generations
  const first = await page({ first: 2 })
  expect(first.nodes.map(({ generationId }) => generationId)).toEqual([ids[2], ids[1]])
  expect(first.pageInfo.hasNextPage).toBe(true)
  const second = await page({ first: 2, after: first.pageInfo.endCursor })
  expect(second.nodes).toMatchObject([
    {
      generationId: ids[0],
      state: 'READY',
      result: { type: 'IMAGE', width: 128, url: expect.stringContaining('/r/') },
      reusableAs: ['imageIds'],
    },
  ])
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, endCursor: expect.any(String) })
  const afterFirst = await page({ first: 2, after: first.edges[0]?.cursor })
  expect(afterFirst.nodes.map(({ generationId }) => generationId)).toEqual([ids[1], ids[0]])
  expect((await page({ status: 'READY' })).nodes).toHaveLength(1)
  const { errors } = await ask(list, { id: team.id, after: first.pageInfo.endCursor, status: 'READY' })
  expect(errors).toMatchObject([{ extensions: { code: 'invalid_cursor' } }])
  expect(spender.ownerId).toBe(team.id)
})

test('GraphQL accepts and returns a reference and metadata like REST, and filters the history by reference', async () => {
  const { team } = await aTeam(services, { credits: 100 })
  const own = { reference: 'order 4711', metadata: { project: 'harbour' } }
  const id = await started(team.id, { ...boat, ...own })
  await started(team.id)
  const shown = { nodes: [{ generationId: id, ...own }] }
  const list = `query ($id: ID!, $reference: String) { generations(teamId: $id, reference: $reference) { nodes { generationId reference metadata } }
    team(id: $id) { generations(reference: $reference) { nodes { generationId reference metadata } } } }`
  expect(await dataOf(list, { id: team.id, reference: own.reference })).toEqual({ generations: shown, team: { generations: shown } })
  expect(await dataOf(list, { id: team.id })).toMatchObject({ generations: { nodes: [{ reference: null, metadata: {} }, own] } })
  const inline = (own: string) =>
    ask(`mutation { startGeneration(teamId: "${team.id}", input: { familyId: "sandbox-image", ${own} }) { replayed } }`)
  for (const faulty of ['reference: ""', 'reference: "\\u0000"', 'metadata: "x"', 'metadata: { a: 7 }', 'metadata: { a: "\\u0000" }']) {
    expect((await inline(faulty)).errors).toMatchObject([{ extensions: { code: 'invalid_request' } }])
  }
})

test('the ledger has every transaction, newest first', async () => {
  const { team, context } = await aTeamWithKey(services, { credits: 10 })
  const id = await started(team.id)
  await endAtOnce(context, id, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
  const ledger =
    'query ($id: ID!, $first: Int, $after: String) { team(id: $id) { ledger(first: $first, after: $after) { nodes { kind credits generationId note } pageInfo { endCursor hasNextPage } } } }'
  type Page = { nodes: unknown; pageInfo: { endCursor: string } }
  const first = (await dataOf<{ team: { ledger: Page } }>(ledger, { id: team.id, first: 2 })).team.ledger
  expect(first).toMatchObject({
    nodes: [
      { kind: 'RELEASE', credits: 2, generationId: id, note: null },
      { kind: 'HOLD', credits: 2, generationId: id },
    ],
    pageInfo: { hasNextPage: true },
  })
  const rest = await dataOf(ledger, { id: team.id, first: 2, after: first.pageInfo.endCursor })
  expect(rest['team']).toMatchObject({
    ledger: { nodes: [{ kind: 'GRANT', credits: 10, generationId: null, note: 'test' }], pageInfo: { hasNextPage: false } },
  })
  for (const after of ['', 'MA', Buffer.from('99999999999999999999').toString('base64url'), Buffer.from('-1').toString('base64url')]) {
    expect((await ask(ledger, { id: team.id, after })).errors).toMatchObject([{ extensions: { code: 'invalid_cursor' } }])
  }
})

test('usage by day, key and family includes only the team', async () => {
  const { team, key, context, spender } = await aTeamWithKey(services)
  const { generation } = await startGeneration(context, spender, { request: boat, idempotencyKey: undefined })
  await endAtOnce(context, String(generation['generationId']), { to: 'ready', result: image })
  await started(team.id)
  const usage = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { team(id: $id) {
    day: usage(from: $from, to: $to, by: DAY) { day key { id } familyId generations ready creditsCharged }
    key: usage(from: $from, to: $to, by: KEY) { key { id name } creditsCharged }
    family: usage(from: $from, to: $to, by: FAMILY) { familyId creditsCharged } } }`
  expect(await dataOf(usage, { id: team.id, from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' })).toEqual({
    team: {
      day: [{ day: '2026-03-10', key: null, familyId: null, generations: 1, ready: 1, creditsCharged: 2 }],
      key: [{ key: { id: key.id, name: 'test key' }, creditsCharged: 2 }],
      family: [{ familyId: 'sandbox-image', creditsCharged: 2 }],
    },
  })
})

test('a key has the credits that it spent today and holds', async () => {
  const { key, context, spender } = await aTeamWithKey(services)
  const [one] = [
    await startGeneration(context, spender, { request: boat, idempotencyKey: undefined }),
    await startGeneration(context, spender, { request: boat, idempotencyKey: undefined }),
  ]
  await endAtOnce(context, String(one.generation['generationId']), { to: 'ready', result: image })
  const change = 'mutation ($id: ID!) { updateApiKey(input: { id: $id }) { spentTodayCredits heldCredits } }'
  expect(await dataOf(change, { id: key.id })).toEqual({ updateApiKey: { spentTodayCredits: 2, heldCredits: 2 } })
  await clock.advance(86_400_000)
  expect(await dataOf(change, { id: key.id })).toEqual({ updateApiKey: { spentTodayCredits: 0, heldCredits: 2 } })
})

test('a generation of the editor is recorded and can be read', async () => {
  const { team, user } = await aTeam(services)
  const record = `mutation ($input: RecordEditorGenerationInput!) { recordEditorGeneration(input: $input) { state source outputType creditsCharged result { type text url } } }`
  const input = { teamId: team.id, userId: user.id, familyId: 'writer', outputType: 'TEXT', prompt: 'hi', state: 'READY', text: 'hello' }
  expect(await dataOf(record, { input })).toEqual({
    recordEditorGeneration: {
      state: 'READY',
      source: 'EDITOR',
      outputType: 'TEXT',
      creditsCharged: 0,
      result: { type: 'TEXT', text: 'hello', url: null },
    },
  })
  expect(await dataOf(record, { input: { ...input, outputType: 'IMAGE', text: null } })).toMatchObject({
    recordEditorGeneration: { result: { type: 'IMAGE', text: null, url: null } },
  })
})
