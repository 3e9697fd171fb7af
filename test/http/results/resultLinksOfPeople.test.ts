import { afterAll, expect, test } from 'vitest'
import { deleteUser } from '../../../src/domain/access/people/deleteUser.ts'
import type { Spender } from '../../../src/domain/access/spender.ts'
import { removeTeamMember, setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import type { Context } from '../../../src/domain/context.ts'
import { resultLink } from '../../../src/domain/generations/links/resultLink.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { testApp } from '../../support/app.ts'
import { anAgent, aServiceContext, aTeamWithKey, aUser } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)
const notFound = { status: 404, body: { error: { code: 'not_found', message: expect.any(String), retryable: false } } }

async function aResult({ context, spender }: { context: Context; spender: Spender }): Promise<string> {
  const asked = { request: { familyId: 'sandbox-image', prompt: 'a lighthouse' }, idempotencyKey: undefined }
  const id = String((await startGeneration(context, spender, asked)).generation['generationId'])
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  return id
}

const linkFor = (generationId: string, userId: string) => resultLink(services, { generationId, holder: { kind: 'person', userId } }).url

test('a link of a person stops working when the person leaves the team, pauses while the team is blocked, and opens nothing of another team', async () => {
  const own = await aTeamWithKey(services)
  const other = await aTeamWithKey(services)
  const member = await aUser(services)
  const place = { teamId: own.team.id, userId: member.id }
  await setTeamMember(operator, { ...place, role: 'member' })
  const id = await aResult(own)
  const link = linkFor(id, member.id)
  expect((await app.ask(`GET ${link}`)).status).toBe(200)
  expect(await app.ask(`GET ${linkFor(id, other.user.id)}`)).toMatchObject(notFound)
  await updateTeam(operator, { id: own.team.id, blocked: true })
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
  await updateTeam(operator, { id: own.team.id, blocked: false })
  await removeTeamMember(operator, place)
  expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
  expect((await app.ask(`GET ${linkFor(id, own.user.id)}`)).status).toBe(200)
})

test('a generation without a team gets links only for its owner', async () => {
  const agent = await anAgent(services)
  const other = await aUser(services)
  const id = await aResult(agent)
  expect((await app.ask(`GET ${linkFor(id, agent.user.id)}`)).status).toBe(200)
  expect(await app.ask(`GET ${linkFor(id, other.id)}`)).toMatchObject(notFound)
})

test('deleting a person revokes all links to their own results, including links of tools', async () => {
  const agent = await anAgent(services)
  const id = await aResult(agent)
  const links = [linkFor(id, agent.user.id), resultLink(services, { generationId: id, holder: { kind: 'service' } }).url]
  for (const link of links) expect((await app.ask(`GET ${link}`)).status).toBe(200)
  await deleteUser(operator, agent.user.id)
  // The result still exists until the prune job removes it.
  const { rows } = await services.pool.query("select result ? 'storageKey' as kept from generations where id = $1", [id])
  expect(rows).toEqual([{ kept: true }])
  for (const link of links) expect(await app.ask(`GET ${link}`)).toMatchObject(notFound)
})

test('a link of a person contains no readable data, and an altered one opens nothing', async () => {
  const own = await aTeamWithKey(services)
  const id = await aResult(own)
  const token = linkFor(id, own.user.id).replace(/^.*\/r\//, '')
  for (const secret of [id, own.user.id, own.team.id]) expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(secret)
  for (const place of [0, 20, token.length - 2]) {
    const altered = token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1)
    expect(await app.ask(`GET //r/${altered}`)).toMatchObject(notFound)
  }
})
