import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { spenderOf } from '../../../src/domain/access/spender.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { actorOf, aServiceContext, aTeamWithKey, aUser, restScopes } from '../../support/factories.ts'
import { aPerson } from '../../support/people/aPerson.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

type Nodes<Node> = { nodes: Node[]; pageInfo: { endCursor: string; hasNextPage: boolean } }
type Data = { team: { member: { role: string } | null; apiKeys: Nodes<{ id: string }>; generations: Nodes<{ generationId: string }> } }

const document = `query ($team: ID!, $user: ID!, $after: String) { team(id: $team) {
  member(userId: $user) { role }
  apiKeys(issuedBy: $user) { nodes { id } }
  generations(userId: $user, first: 1, after: $after) { nodes { generationId } pageInfo { endCursor hasNextPage } } } }`

test('a manager sees the membership, the keys and the generations of one member', async () => {
  const own = await aTeamWithKey(services)
  const admin = await aMember(services, { teamId: own.team.id, role: 'admin' })
  const { apiKey } = await issueKey(tool, { teamId: own.team.id, userId: admin.id, name: 'of the admin', scopes: restScopes })
  const actor = actorOf(apiKey)
  const started: string[] = []
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  for (const by of [actor, own.actor, actor]) {
    const { generation } = await startGeneration(contextFor(services, by), spenderOf(by), { request, idempotencyKey: undefined })
    if (by === actor) started.push(String(generation['generationId']))
  }
  const ask = aPerson(services, own.user.id)
  const variables = { team: own.team.id, user: admin.id }
  const first = (await ask<Data>(document, variables)).data?.team
  expect(first).toMatchObject({ member: { role: 'ADMIN' }, apiKeys: { nodes: [{ id: apiKey.id }] } })
  expect(first?.generations.nodes).toEqual([{ generationId: started[1] }])
  const second = (await ask<Data>(document, { ...variables, after: first?.generations.pageInfo.endCursor })).data?.team
  expect(second?.generations.nodes).toEqual([{ generationId: started[0] }])

  const nobody = await aUser(services)
  expect((await ask<Data>(document, { ...variables, user: nobody.id })).data?.team).toMatchObject({
    member: null,
    apiKeys: { nodes: [] },
    generations: { nodes: [] },
  })
  expect((await ask<Data>(document, { ...variables, after: first?.generations.pageInfo.endCursor, user: own.user.id })).codes).toEqual([
    'invalid_cursor',
  ])
  const byMember = aPerson(services, (await aMember(services, { teamId: own.team.id, role: 'member' })).id)
  expect((await byMember<Data>(document, variables)).codes).toEqual(['access_denied'])
})

test('members are searched by a part of the name or address, and by identifier', async () => {
  const own = await aTeamWithKey(services)
  const [ada, bob] = [
    await aMember(services, { teamId: own.team.id, role: 'member' }),
    await aMember(services, { teamId: own.team.id, role: 'member' }),
  ]
  await services.pool.query(`update users set name = 'Ada 100%', email = 'ada.lovelace@example.com' where id = $1`, [ada.id])
  await services.pool.query(`update users set name = 'Bob' where id = $1`, [bob.id])
  const search = async (text: string | null, page = 'first: 10') => {
    const source = `query ($team: ID!, $text: String) { team(id: $team) { members(search: $text, ${page}) { nodes { user { id } } } } }`
    const { data, codes } = await aPerson(services, own.user.id)<{ team: { members: { nodes: { user: { id: string } }[] } } | null }>(
      source,
      {
        team: own.team.id,
        text,
      },
    )
    return data?.team?.members.nodes.map(({ user }) => user.id) ?? codes
  }
  expect(await search('LOVELACE')).toEqual([ada.id])
  expect(await search('100%')).toEqual([ada.id])
  expect(await search('%')).toEqual([ada.id])
  expect(await search(bob.id)).toEqual([bob.id])
  expect(await search('nobody of that name')).toEqual([])
  expect(await search('')).toHaveLength(3)
  expect(await search(null)).toHaveLength(3)
  expect(await search(' ', 'last: 2')).toHaveLength(2)
  expect(await search('x'.repeat(300))).toEqual(['invalid_request'])
})
