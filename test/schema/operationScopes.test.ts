import { afterAll, beforeEach, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/refusals/refusals.ts'
import { contextFor } from '../../src/domain/context.ts'
import { aTeamWithKey, restScopes, type TeamWithKey } from '../support/factories.ts'
import { account, cancel, compile, estimate, families, family, get, history, signal, start } from '../support/http/compiledOperations.ts'
import { refused } from '../support/refused.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const boat = { familyId: 'sandbox-image', prompt: 'a boat' }
let made: TeamWithKey
beforeEach(async () => {
  made = await aTeamWithKey(services)
})

async function started(input: Record<string, unknown> = boat): Promise<{ generationId: string }> {
  const data = await start({ input }, made.context, signal)
  return (data['startGeneration'] as { generation: { json: { generationId: string } } }).generation.json
}

test.each(restScopes)('a key with only the scope %s reaches only the operations of that scope', async (scope) => {
  const context = contextFor(services, { ...made.actor, scopes: [scope] })
  const { generationId: id } = await started()
  const needs: [string, () => Promise<unknown>][] = [
    ['catalog:read', () => families({}, context, signal)],
    ['catalog:read', () => family({ id: 'sandbox-3d' }, context, signal)],
    ['generations:read', () => estimate({ input: boat }, context, signal)],
    ['generations:read', () => get({ id, waitSeconds: 0 }, context, signal)],
    ['generations:read', () => history({ limit: 1 }, context, signal)],
    ['generations:write', () => start({ input: boat }, context, signal)],
    ['generations:write', () => cancel({ id }, context, signal)],
    ['account:read', () => account({}, context, signal)],
  ]
  for (const [needed, ask] of needs) {
    const outcome = await ask().then(
      () => 'opened',
      (error: unknown) => (error instanceof Refusal ? error.code : error),
    )
    expect(outcome).toBe(needed === scope ? 'opened' : 'insufficient_scope')
  }
})

test('a missing scope is refused before the input is validated', async () => {
  const reader = contextFor(services, { ...made.actor, scopes: ['catalog:read'] })
  expect(await refused(start({ input: { ...boat, maxCredits: -1 } }, reader, signal))).toMatchObject({ code: 'insufficient_scope' })
  expect(await refused(start({ input: { ...boat, maxCredits: -1 } }, made.context, signal))).toMatchObject({ code: 'invalid_request' })
})

test('the scope mcp permits every operation over MCP and none over REST', async () => {
  const agent = { ...made.actor, scopes: ['mcp'] as const, door: 'mcp' as const }
  await expect(families({}, contextFor(services, agent), signal)).resolves.toBeDefined()
  expect(await refused(families({}, contextFor(services, { ...agent, door: 'rest' }), signal))).toMatchObject({
    code: 'insufficient_scope',
  })
})

test.each([
  '{ team(id: "TEAM") { id } }',
  '{ user(id: "USER") { email } }',
  'mutation { createTeam(input: { name: "x" }) { id } }',
  'mutation { updateTeam(input: { id: "TEAM", blocked: false }) { id } }',
  'mutation { createUser(input: { email: "k@e.test", name: "x" }) { id } }',
  'mutation { updateUser(input: { id: "USER", subscriptionActive: true }) { id } }',
  'mutation { setTeamMember(input: { teamId: "TEAM", userId: "USER", role: OWNER }) { role } }',
  'mutation { removeTeamMember(input: { teamId: "TEAM", userId: "USER" }) }',
  'mutation { grantCredits(input: { teamId: "TEAM", credits: 1, note: "", idempotencyKey: "x" }) { creditsAvailable } }',
  'mutation { adjustCredits(input: { teamId: "TEAM", credits: -1, note: "", idempotencyKey: "y" }) { creditsAvailable } }',
  'mutation { createServiceToken(input: { name: "x" }) { value } }',
  'mutation { reloadCatalog }',
  '{ teams { nodes { id } } }',
  '{ users { nodes { id } } }',
  'mutation { setFamilyAvailability(input: { familyId: "sandbox-image", available: true }) { id } }',
  'mutation { issueApiKey(input: { teamId: "TEAM", name: "x", scopes: [MCP] }) { value } }',
  'mutation { updateApiKey(input: { id: "KEY", dailyLimitCredits: null }) { id } }',
  'mutation { revokeApiKey(input: { id: "KEY" }) { id } }',
  'mutation { recordEditorGeneration(input: { teamId: "TEAM", userId: "USER", familyId: "x", outputType: IMAGE, state: RUNNING }) { state } }',
  'mutation { endEditorGeneration(input: { id: "gen_x", state: FAILED }) { state } }',
])('no key with any scope may do %s', async (source) => {
  const written = source.replaceAll('TEAM', made.team.id).replaceAll('USER', made.user.id).replaceAll('KEY', made.key.id)
  const anyKey = contextFor(services, { ...made.actor, scopes: [...restScopes, 'mcp'] })
  expect(await refused(compile(written)({}, anyKey, signal))).toMatchObject({ code: 'insufficient_scope' })
})

test('a key reads its own account and history, even if it names another team', async () => {
  const other = await aTeamWithKey(services, { credits: 5 })
  await started()
  const source = `{ account(teamId: "${other.team.id}") { creditsAvailable } generations(teamId: "${other.team.id}") { nodes { generationId } } }`
  expect(await compile(source)({}, made.context, signal)).toMatchObject({
    account: { creditsAvailable: 999 },
    generations: { nodes: [{}] },
  })
})

test('jobs and callers without a context are refused', async () => {
  const system = contextFor(services, { kind: 'system' })
  expect(await refused(families({}, system, signal))).toMatchObject({ code: 'unauthorized' })
  expect(await refused(compile('{ viewer { kind } }')({}, system, signal))).toMatchObject({ code: 'unauthorized' })
})
