import { afterAll, expect, test } from 'vitest'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { aServiceContext, aTeam, aUser } from '../support/factories.ts'
import { aPerson } from '../support/people/aPerson.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

type Issued = { issueApiKey: { apiKey: { id: string } } }
const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }'
const mine = '{ viewer { user { agentKeys { nodes { id name team { id } } } } } }'
const act = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { value } revokeApiKey(input: { id: $id }) { state } }'

async function aMember(subscriptionActive = true) {
  const { team, user: owner } = await aTeam(services)
  const member = await aUser(services, { subscriptionActive })
  await setTeamMember(tool, { teamId: team.id, userId: member.id, role: 'member' })
  return { team, owner, member, ask: aPerson(services, member.id) }
}

const forAgents = (teamId?: string) => ({ input: { name: 'agent', scopes: ['MCP'], ...(teamId === undefined ? {} : { teamId }) } })

test('a member with a subscription issues and manages agent keys, in the team and personal ones', async () => {
  const { team, ask } = await aMember()
  const inTeam = (await ask<Issued>(issue, forAgents(team.id))).data?.issueApiKey.apiKey.id
  const own = (await ask<Issued>(issue, forAgents())).data?.issueApiKey.apiKey.id
  expect((await ask(mine)).data).toEqual({
    viewer: {
      user: {
        agentKeys: {
          nodes: [
            { id: own, name: 'agent', team: null },
            { id: inTeam, name: 'agent', team: { id: team.id } },
          ],
        },
      },
    },
  })
  expect((await ask(act, { id: inTeam })).data).toMatchObject({
    rotateApiKey: { value: expect.any(String) },
    revokeApiKey: { state: 'REVOKED' },
  })
})

test('a member issues no key with another scope, for another person, in another team or without a subscription', async () => {
  const { team, owner, member, ask } = await aMember()
  const [{ team: elsewhere }, lapsed] = [await aTeam(services), await aMember(false)]
  for (const input of [
    { name: 'a', scopes: ['CATALOG_READ'], teamId: team.id },
    { name: 'a', scopes: ['MCP', 'CATALOG_READ'], teamId: team.id },
    { name: 'a', scopes: ['MCP'], teamId: team.id, userId: owner.id },
    { name: 'a', scopes: ['MCP'], teamId: elsewhere.id },
  ])
    expect((await ask(issue, { input })).codes).toEqual(['access_denied'])
  expect((await lapsed.ask(issue, forAgents(lapsed.team.id))).codes).toEqual(['access_denied'])
  expect((await aPerson(services, member.id)(issue, { input: { name: 'a', scopes: [], teamId: team.id } })).codes).toEqual([
    'invalid_request',
  ])
})

test('managers of the team manage agent keys of members, but cannot rotate them', async () => {
  const { team, owner, ask } = await aMember()
  const id = (await ask<Issued>(issue, forAgents(team.id))).data?.issueApiKey.apiKey.id
  const asOwner = aPerson(services, owner.id)
  expect((await asOwner('mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { value } }', { id })).codes).toEqual(['access_denied'])
  expect((await asOwner('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { state } }', { id })).codes).toEqual([])
})

test('only the issuer loosens a ceiling, confirmation or expiry that protects personal credits; the team may tighten it', async () => {
  const { team, owner, ask } = await aMember()
  const guards = { dailyLimitCredits: 5, singleLimitCredits: 2, confirmAboveCredits: 1, expiresAt: '2100-01-01T00:00:00.000Z' }
  const { input } = forAgents(team.id)
  const id = (await ask<Issued>(issue, { input: { ...input, ...guards } })).data?.issueApiKey.apiKey.id
  const guarded = 'fragment Guards on ApiKey { dailyLimitCredits singleLimitCredits confirmAboveCredits expiresAt }'
  const change = `mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { ...Guards } } ${guarded}`
  const asOwner = (changes: object) => aPerson(services, owner.id)(change, { input: { id, ...changes } })
  for (const looser of [
    { dailyLimitCredits: 5.01 },
    { dailyLimitCredits: null },
    { singleLimitCredits: 3 },
    { singleLimitCredits: null, dailyLimitCredits: 1 },
    { confirmAboveCredits: 1.01 },
    { confirmAboveCredits: null },
    { expiresAt: '2100-01-01T00:00:00.001Z' },
    { expiresAt: null },
  ])
    expect((await asOwner(looser)).codes).toEqual(['access_denied'])
  expect((await asOwner({ ...guards, name: 'renamed' })).data).toEqual({ updateApiKey: guards })
  const tighter = { dailyLimitCredits: 4, singleLimitCredits: 0, confirmAboveCredits: 0, expiresAt: '2099-01-01T00:00:00.000Z' }
  expect((await asOwner(tighter)).data).toEqual({ updateApiKey: tighter })
  expect((await ask(change, { input: { id, dailyLimitCredits: null } })).data).toMatchObject({ updateApiKey: { dailyLimitCredits: null } })
})

test('a person may revoke their agent keys of a team that they have left, which are no longer listed', async () => {
  const { team, member, ask } = await aMember()
  const id = (await ask<Issued>(issue, forAgents(team.id))).data?.issueApiKey.apiKey.id
  await removeTeamMember(tool, { teamId: team.id, userId: member.id })
  expect((await ask(mine)).data).toEqual({ viewer: { user: { agentKeys: { nodes: [] } } } })
  expect((await ask('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { state } }', { id })).data).toMatchObject({
    revokeApiKey: { state: 'REVOKED' },
  })
})
