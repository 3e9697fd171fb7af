import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { setFamilyAccess } from '../../src/domain/access/availability/setTeamFamilyAvailability.ts'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { type Context, contextFor } from '../../src/domain/context.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser } from '../support/factories.ts'
import { compile, signal } from '../support/http/compiledOperations.ts'
import { refused } from '../support/refused.ts'
import { testServices } from '../support/services.ts'

const catalogFolder = await mkdtemp(join(tmpdir(), 'atelier-catalog-'))
await cp('catalog/sandbox', catalogFolder, { recursive: true })
const file = join(catalogFolder, 'sandbox-3d.json')
await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), restricted: true }))

const { services, close } = await testServices({ catalogFolder })
afterAll(async () => {
  await close()
  await rm(catalogFolder, { recursive: true, force: true })
})
const tool = aServiceContext(services)
const asPerson = (userId: string) => contextFor(services, { kind: 'person', userId })

const catalog = compile('query ($teamId: ID) { families(teamId: $teamId) { nodes { id lockReason } } }')
const family = compile('query ($id: ID!, $teamId: ID) { family(id: $id, teamId: $teamId) { lockReason } }')
const estimate = compile(
  'query ($teamId: ID, $input: GenerationInput!) { estimate(teamId: $teamId, input: $input) { credits creditsAvailable sufficient } }',
)
const setAvailability = compile('mutation ($input: SetFamilyAvailabilityInput!) { setFamilyAvailability(input: $input) { id lockReason } }')
const switchedOff = compile('query ($teamId: ID!) { team(id: $teamId) { switchedOffFamilies { familyId byName since } } }')

async function locksFor(context: Context, teamId?: string): Promise<Record<string, string | null>> {
  const { families } = await catalog({ teamId }, context, signal)
  const { nodes } = families as { nodes: { id: string; lockReason: string | null }[] }
  for (const { id, lockReason } of nodes) expect(await family({ id, teamId }, context, signal)).toEqual({ family: { lockReason } })
  return Object.fromEntries(nodes.map(({ id, lockReason }) => [id, lockReason]))
}

const ofEverybody = {
  'sandbox-3d': 'access_denied',
  'sandbox-audio': null,
  'sandbox-edit': null,
  'sandbox-image': null,
  'sandbox-locked': 'subscription_required',
  'sandbox-offline': 'temporarily_unavailable',
  'sandbox-sound': null,
  'sandbox-texture': null,
  'sandbox-video': null,
  'sandbox-clip': null,
}

test('a person sees the catalog of a team like a key that they issued there, with their own subscription', async () => {
  const { team, user } = await aTeam(services)
  expect(await locksFor(asPerson(user.id), team.id)).toEqual(ofEverybody)
  await setFamilyAccess(tool, { familyId: 'sandbox-3d', teamId: team.id, granted: true })
  await updateUser(tool, { id: user.id, subscriptionActive: true })
  expect(await locksFor(asPerson(user.id), team.id)).toEqual({ ...ofEverybody, 'sandbox-3d': null, 'sandbox-locked': null })
  expect(await locksFor(asPerson(user.id)), 'without a team nothing was granted').toEqual({ ...ofEverybody, 'sandbox-locked': null })
})

test('a person sees and estimates only in their teams', async () => {
  const [{ team }, { user: stranger }] = [await aTeam(services), await aTeam(services)]
  const input = { familyId: 'sandbox-image', prompt: 'a boat' }
  for (const teamId of [team.id, 'team_00000000000000000000000000']) {
    const no = async (asked: Promise<unknown>) => expect(await refused(asked)).toMatchObject({ code: 'access_denied' })
    const as = asPerson(stranger.id)
    await no(catalog({ teamId }, as, signal))
    await no(family({ id: 'sandbox-image', teamId }, as, signal))
    await no(estimate({ teamId, input }, as, signal))
    await no(setAvailability({ input: { familyId: 'sandbox-image', available: false, teamId } }, as, signal))
    await no(setAvailability({ input: { familyId: 'sandbox-image', available: false } }, as, signal))
  }
  expect(await refused(catalog({ teamId: 'team_none' }, tool, signal))).toMatchObject({ code: 'invalid_request' })
})

test('an estimate is for the named team, or for the person without one, and is refused for locked families', async () => {
  const { team, user } = await aTeam(services, { credits: 7 })
  await grantCredits(tool, { userId: user.id, credits: 3, note: 'own', idempotencyKey: 'own' })
  const input = { familyId: 'sandbox-image', prompt: 'a boat', axes: { version: 'pro' } }
  const of = async (teamId?: string) => (await estimate({ teamId, input }, asPerson(user.id), signal))['estimate']
  expect(await of(team.id)).toEqual({ credits: 8, creditsAvailable: 7, sufficient: false })
  expect(await of()).toEqual({ credits: 8, creditsAvailable: 3, sufficient: false })
  const locked = { teamId: team.id, input: { ...input, familyId: 'sandbox-locked', axes: {} } }
  expect(await refused(estimate(locked, asPerson(user.id), signal))).toMatchObject({ code: 'subscription_required' })
})

test('an administrator switches a family off; members see who did it and when, and a repeat changes neither', async () => {
  const { team, user, context } = await aTeamWithKey(services)
  const [admin, member] = [await aUser(services), await aUser(services)]
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  await setTeamMember(tool, { teamId: team.id, userId: member.id, role: 'member' })
  const set = (userId: string, available: boolean) =>
    setAvailability({ input: { familyId: 'sandbox-audio', available, teamId: team.id } }, asPerson(userId), signal)
  const readSwitchedOff = async () => (await switchedOff({ teamId: team.id }, asPerson(member.id), signal))['team']

  expect(await refused(set(member.id, false))).toMatchObject({ code: 'access_denied' })
  expect(await set(admin.id, false)).toEqual({ setFamilyAvailability: { id: 'sandbox-audio', lockReason: 'disabled_by_team' } })
  const first = await readSwitchedOff()
  expect(first).toEqual({ switchedOffFamilies: [{ familyId: 'sandbox-audio', byName: admin.name, since: expect.any(String) }] })
  await set(user.id, false)
  expect(await readSwitchedOff()).toEqual(first)
  expect((await locksFor(asPerson(member.id), team.id))['sandbox-audio']).toBe('disabled_by_team')
  const input = { familyId: 'sandbox-audio', prompt: 'Hello' }
  expect(await refused(estimate({ input }, context, signal)), 'its keys').toMatchObject({ code: 'access_denied' })
  expect(await refused(estimate({ teamId: team.id, input }, asPerson(user.id), signal))).toMatchObject({ code: 'access_denied' })

  await set(user.id, true)
  expect(await readSwitchedOff()).toEqual({ switchedOffFamilies: [] })
  await setAvailability({ input: { familyId: 'sandbox-audio', available: false, teamId: team.id } }, tool, signal)
  expect(await readSwitchedOff()).toMatchObject({ switchedOffFamilies: [{ byName: null }] })
})

test('each variant has the schema of exactly its parameters', async () => {
  const { families } = await compile('{ families { nodes { parameters variants { parameterNames parameters } } } }')({}, tool, signal)
  type Schema = { required: string[]; properties: Record<string, unknown>; additionalProperties: false }
  const { nodes } = families as {
    nodes: { parameters: Schema; variants: { parameterNames: string[]; parameters: Schema }[] }[]
  }
  for (const { parameters: whole, variants } of nodes) {
    for (const { parameterNames, parameters } of variants) {
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(parameters.properties).toSorted()).toEqual(parameterNames.toSorted())
      for (const [name, schema] of Object.entries(parameters.properties)) expect(schema).toEqual(whole.properties[name])
    }
  }
})
