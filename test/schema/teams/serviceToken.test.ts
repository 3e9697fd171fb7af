import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../support/factories.ts'
import { onePixel } from '../../support/http/everyEndpoint.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const create = `mutation ($input: CreateServiceTokenInput!) {
  createServiceToken(input: $input) { value token { id name prefix readOnly teamIds createdAt lastUsedAt revokedAt } }
}`
type Created = { createServiceToken: { value: string; token: { id: string; prefix: string } } }

async function aToken(input: { name: string; readOnly?: boolean; teamIds?: string[] }) {
  const { createServiceToken: made } = await dataOf<Created>(create, { input })
  return { ...made, ask: (query: string, variables = {}) => ask(query, variables, { authorization: `Bearer ${made.value}` }) }
}

const codesOf = async (answered: ReturnType<typeof ask>) => {
  const { status, errors } = await answered
  return [status, ...errors.map(({ extensions }) => extensions.code)]
}
const denied = [200, 'access_denied']

test('a token is shown once, works like SERVICE_TOKEN, and names itself in the audit log', async () => {
  const { value, token, ask: asToken } = await aToken({ name: 'billing' })
  expect(value).toMatch(/^ats_[0-9A-Za-z]{49}$/)
  expect(token).toEqual({
    ...{ id: expect.stringMatching(/^tok_/), name: 'billing', prefix: value.slice(0, 12), readOnly: false, teamIds: null },
    ...{ createdAt: clock.now().toISOString(), lastUsedAt: null, revokedAt: null },
  })
  expect(await codesOf(asToken('mutation { createTeam(input: { name: "By billing" }) { id } }'))).toEqual([200])
  const { serviceTokens } = await dataOf<{ serviceTokens: unknown }>('{ serviceTokens(first: 1) { nodes { id lastUsedAt } } }')
  expect(serviceTokens).toEqual({ nodes: [{ id: token.id, lastUsedAt: clock.now().toISOString() }] })
  const log = await dataOf(`{ auditLog(actorId: "${token.id}", first: 1) { nodes { actorKind actorName action } } }`)
  expect(log).toEqual({ auditLog: { nodes: [{ actorKind: 'SERVICE', actorName: 'billing', action: 'TEAM_CREATED' }] } })
  expect(JSON.stringify((await services.pool.query('select * from service_tokens')).rows)).not.toContain(value)
})

test('a revoked token is refused with its next request; a repeated revocation keeps the first moment', async () => {
  const { token, ask: asToken } = await aToken({ name: 'old' })
  const revoke = `mutation { revokeServiceToken(input: { id: "${token.id}" }) { revokedAt } }`
  const first = await dataOf(revoke)
  await clock.advance(1000)
  expect(await dataOf(revoke)).toEqual(first)
  expect(await codesOf(asToken('{ viewer { kind } }'))).toEqual([401, 'unauthorized'])
})

test('a read-only token reads everything and runs no mutation', async () => {
  const { team } = await aTeam(services)
  const { ask: asToken } = await aToken({ name: 'reports', readOnly: true })
  expect(await codesOf(asToken(`{ team(id: "${team.id}") { name members { nodes { user { email } } } } }`))).toEqual([200])
  expect(await codesOf(asToken('mutation { createTeam(input: { name: "No" }) { id } }'))).toEqual([403, 'access_denied'])
  const { rowCount } = await services.pool.query("select from teams where name = 'No'")
  expect(rowCount).toBe(0)
})

test('a token of one team acts on this team, its work and its people only', async () => {
  const own = await aTeamWithKey(services)
  const other = await aTeamWithKey(services)
  const { ask: asToken } = await aToken({ name: 'one team', teamIds: [own.team.id] })
  const start = ({ context, spender }: typeof own) =>
    startGeneration(context, spender, { request: { familyId: 'sandbox-image', prompt: 'a' } })
  const { apiKey: agent } = await issueKey(aServiceContext(services), {
    teamId: own.team.id,
    userId: own.user.id,
    name: 'agent',
    scopes: ['mcp'],
  })
  const [mine, theirs] = [(await start(own)).generation.generationId, (await start(other)).generation.generationId]
  const permitted = [
    `{ team(id: "${own.team.id}") { name account { creditsAvailable } members { nodes { role user { email } } } apiKeys { nodes { name issuedBy { name } } }
        generations { nodes { generationId startedBy { name } } } auditLog { nodes { action } } ledger { nodes { credits } } } }`,
    `{ generation(id: "${mine}") { state } account(teamId: "${own.team.id}") { creditsAvailable } families { nodes { id } } }`,
    `mutation { updateTeam(input: { id: "${own.team.id}", name: "Renamed" }) { name } }`,
    `mutation { grantCredits(input: { teamId: "${own.team.id}", credits: 1, note: "", idempotencyKey: "token" }) { creditsAvailable } }`,
    `mutation { cancelGeneration(id: "${mine}") { state } }`,
  ]
  for (const query of permitted) expect([query, await asToken(query)]).toMatchObject([query, { status: 200, errors: [] }])
  const refused = [
    `{ team(id: "${other.team.id}") { name } }`,
    `{ generation(id: "${theirs}") { state } }`,
    `{ generations(teamId: "${other.team.id}") { nodes { state } } }`,
    `{ account(teamId: "${other.team.id}") { creditsAvailable } }`,
    `{ account(userId: "${own.user.id}") { creditsAvailable } }`,
    `{ user(id: "${own.user.id}") { email } }`,
    `{ users(first: 1) { nodes { id } } }`,
    `{ teams(first: 1) { nodes { id } } }`,
    `{ auditLog { nodes { id } } }`,
    `{ serviceTokens { nodes { id } } }`,
    `{ apiKey(id: "${other.key.id}") { name } }`,
    `mutation { createTeam(input: { name: "No" }) { id } }`,
    `mutation { updateTeam(input: { id: "${other.team.id}", blocked: true }) { name } }`,
    `mutation { adjustCredits(input: { teamId: "${other.team.id}", credits: -1, note: "", idempotencyKey: "token" }) { creditsAvailable } }`,
    `mutation { grantCredits(input: { userId: "${own.user.id}", credits: 1, note: "", idempotencyKey: "token" }) { creditsAvailable } }`,
    `mutation { cancelGeneration(id: "${theirs}") { state } }`,
    `mutation { deleteResult(id: "${theirs}") { state } }`,
    `mutation { revokeApiKey(input: { id: "${other.key.id}" }) { id } }`,
    `mutation { setFamilyAvailability(input: { familyId: "sandbox-3d", available: false }) { id } }`,
    `mutation { setFamilyAccess(input: { familyId: "sandbox-3d", teamId: "${other.team.id}", granted: true }) { id } }`,
    `mutation { createServiceToken(input: { name: "more" }) { value } }`,
    `mutation { issueApiKey(input: { teamId: "${own.team.id}", userId: "${own.user.id}", name: "x", scopes: [MCP] }) { value } }`,
    `mutation { issueApiKey(input: { teamId: "${own.team.id}", name: "x", scopes: [MCP, CATALOG_READ] }) { value } }`,
    `mutation { rotateApiKey(input: { id: "${agent.id}" }) { value } }`,
    'mutation { reloadCatalog }',
  ]
  for (const query of refused) expect([query, await codesOf(asToken(query))]).toEqual([query, denied])
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'a', teamIds: [] }, 'teamIds'],
  [{ name: 'a', teamIds: ['team_00000000000000000000000000'] }, 'teamIds'],
  [{ name: 'a', teamIds: ['user_00000000000000000000000000'] }, 'teamIds'],
])('%j is refused', async (input, field) => {
  const { errors } = await ask(create, { input })
  expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: [field] }] } })
})

test.each(['tok_00000000000000000000000000', 'tok_', ''])('the unknown token %j cannot be revoked', async (id) => {
  const { errors } = await ask('mutation ($id: ID!) { revokeServiceToken(input: { id: $id }) { id } }', { id })
  expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: ['id'] }] } })
})

test.each(['ats_', `ats_${'a'.repeat(49)}`, 'ats_\0'])('%j is no token', async (value) => {
  expect(await codesOf(ask('{ viewer { kind } }', {}, { authorization: `Bearer ${value}` }))).toEqual([401, 'unauthorized'])
})

test('a token of one team reads and deletes its files and previews its results; those of another team are as unknown', async () => {
  const own = await aTeamWithKey(services)
  const other = await aTeamWithKey(services)
  const { ask: asToken } = await aToken({ name: 'files', teamIds: [own.team.id] })
  const workOf = async ({ context, spender, team }: typeof own) => {
    const { generation } = await startGeneration(context, spender, { request: { familyId: 'sandbox-image', prompt: 'a' } })
    const upload = `mutation { uploadFile(input: { teamId: "${team.id}", base64: "${onePixel}" }) { fileId } }`
    const { uploadFile } = await dataOf<{ uploadFile: { fileId: string } }>(upload)
    return { fileId: uploadFile.fileId, generationId: generation.generationId }
  }
  const [mine, theirs] = [await workOf(own), await workOf(other)]
  const asksOf = ({ fileId, generationId }: typeof mine) => [
    `{ file(id: "${fileId}") { state } }`,
    `{ resultPreview(id: "${generationId}") { mimeType } }`,
    `mutation { deleteFile(id: "${fileId}") { fileId } }`,
  ]
  const unknown = asksOf({ fileId: 'file_01kabc5m1dexampleexample00', generationId: 'gen_01kabc5m1dexampleexample00' })
  for (const query of [...unknown, ...asksOf(theirs)]) expect([query, await codesOf(asToken(query))]).toEqual([query, denied])
  expect(await dataOf(`{ file(id: "${theirs.fileId}") { fileId } }`)).toEqual({ file: { fileId: theirs.fileId } })
  for (const query of asksOf(mine)) expect([query, await codesOf(asToken(query))]).toEqual([query, [200]])
})
