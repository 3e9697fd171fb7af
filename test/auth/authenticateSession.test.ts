import { afterAll, expect, test } from 'vitest'
import { sessionNeedsRenewal } from '../../src/domain/access/sessions/sessions.ts'
import { addTeamMember } from '../../src/domain/access/teams/addTeamMember.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { rolesOf } from '../../src/domain/access/teams/rolesOf.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser } from '../support/factories.ts'
import { aMember, aPersonContext, aSession, asPerson } from '../support/people/sessions.ts'

const serviceToken = 'a-service-token-of-more-than-32-characters'
const { ask, origin, services, clock, close } = await testApp({ undescribed: true, serviceToken })
afterAll(close)

const day = 24 * 3600 * 1000
const context = aServiceContext(services)
type Headers = Record<string, string>

async function viewer(headers: Headers) {
  const { status, text } = await ask('POST //graphql', { body: { query: '{ viewer { kind user { id } } }' }, headers })
  return { status, ...JSON.parse(text) }
}

test('a session request without an origin, or with another origin, is refused', async () => {
  const { id: userId } = await aUser(services)
  const cookie = await aSession(services, { userId })
  for (const headers of [
    { cookie },
    { cookie, origin: 'null' },
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: origin.replace('127.0.0.1', 'localhost') },
    { cookie, origin, 'sec-fetch-site': 'cross-site' },
    { cookie, origin, 'sec-fetch-site': 'same-site' },
  ]) {
    expect(await viewer(headers)).toMatchObject({ status: 403, errors: [{ extensions: { code: 'access_denied' } }] })
  }
  const { data } = await viewer({ cookie, origin, 'sec-fetch-site': 'same-origin' })
  expect(data).toEqual({ viewer: { kind: 'PERSON', user: { id: userId } } })
})

test('a form post and a link cannot replace a request of our page', async () => {
  const headers = await asPerson(services, await aUser(services).then(({ id }) => ({ userId: id })))
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask('POST //graphql', { body: 'query=%7Bviewer%7Bkind%7D%7D', headers: form })).status).toBe(415)
  expect((await ask('GET //graphql?query=%7Bviewer%7Bkind%7D%7D', { headers })).status).toBe(401)
})

test('a session cannot introspect the schema', async () => {
  const headers = await asPerson(services, await aUser(services).then(({ id }) => ({ userId: id })))
  const answer = await ask('POST //graphql', { body: { query: '{ __schema { queryType { name } } }' }, headers })
  expect([answer.status, JSON.parse(answer.text).errors[0].extensions.code]).toEqual([403, 'access_denied'])
})

test('an Authorization header wins over a cookie', async () => {
  const { id: userId } = await aUser(services)
  const headers = await asPerson(services, { userId })
  const tool = await viewer({ ...headers, authorization: `Bearer ${serviceToken}` })
  expect(tool.data.viewer.kind).toBe('SERVICE')
  for (const authorization of ['Bearer wrong', 'Basic xyz', '']) {
    expect((await viewer({ ...headers, authorization })).status).toBe(401)
  }
})

test('an invalid session cookie authenticates nobody', async () => {
  const token = 'a'.repeat(32)
  for (const value of ['', 'x', `${token}`, `${token}.forged`, `${token}.forged.more`, '%00', 'a'.repeat(5000)]) {
    expect((await viewer({ origin, cookie: `atelier.session=${value}` })).status).toBe(401)
  }
})

test('a session in use is renewed, an idle one expires after a week, and none is older than 30 days', async () => {
  const [{ id: userId }, other] = [await aUser(services), await aUser(services)]
  const begun = clock.now().getTime()
  const [used, resting] = [await asPerson(services, { userId }), await asPerson(services, { userId: other.id })]
  const unrenewed = () =>
    services.pool.query(`select from auth.sessions s where user_id = $1 and expires_at > present() and ${sessionNeedsRenewal}`, [userId])
  const seen: [day: number, used: number, resting: number][] = []
  for (const days of [0, 6, 12, 18, 24, 29, 30]) {
    await clock.set(new Date(begun + days * day))
    const looksIn = days === 0 || days === 12
    seen.push([days, (await viewer(used)).status, looksIn ? (await viewer(resting)).status : 0])
    // A request does not wait for the renewal.
    await expect.poll(async () => (await unrenewed()).rowCount, { interval: 5 }).toBe(0)
  }
  expect(seen).toEqual([
    [0, 200, 200],
    [6, 200, 0],
    [12, 200, 401],
    [18, 200, 0],
    [24, 200, 0],
    [29, 200, 0],
    [30, 401, 0],
  ])
})

test('a removal by a manager does not end sessions of a member of another team, who loses access to the team', async () => {
  const { team, user: owner } = await aTeam(services)
  const { team: ownTeam } = await aTeam(services)
  const victim = await aMember(services, { teamId: ownTeam.id, role: 'owner' })
  const asOwner = aPersonContext(services, { userId: owner.id })
  const headers = await asPerson(services, { userId: victim.id })

  await addTeamMember(asOwner, { teamId: team.id, email: victim.email, role: 'member' })
  expect(await removeTeamMember(asOwner, { teamId: team.id, userId: victim.id })).toBe(true)
  expect((await viewer(headers)).status).toBe(200)
  expect(await rolesOf(asOwner, victim.id)).toEqual(new Map([[ownTeam.id, 'owner']]))
  const another = await aMember(services, { teamId: ownTeam.id, role: 'owner' })
  await removeTeamMember(aPersonContext(services, { userId: another.id }), { teamId: ownTeam.id, userId: victim.id })
  expect((await viewer(headers)).status).toBe(401)
})

test('a removal from a team by a tool ends all sessions of that person only', async () => {
  const { team, user: owner } = await aTeam(services)
  const member = await aMember(services, { teamId: team.id, role: 'member' })
  const { team: otherTeam } = await aTeam(services)
  await setTeamMember(context, { teamId: otherTeam.id, userId: member.id, role: 'admin' })
  const inBrowsers = [owner, member, member].map(({ id }) => asPerson(services, { userId: id }))
  const [own, first, second] = await Promise.all(inBrowsers)

  expect(await removeTeamMember(context, { teamId: team.id, userId: member.id })).toBe(true)
  const statuses = await Promise.all([own, first, second].map((headers) => viewer({ ...headers })))
  expect(statuses.map(({ status }) => status)).toEqual([200, 401, 401])
  expect(await rolesOf(aPersonContext(services, { userId: member.id }), member.id)).toEqual(new Map([[otherTeam.id, 'admin']]))
})

test('heavy use of a key does not limit its owner: sessions count together, separately from keys', async () => {
  const { value, key, user, team } = await aTeamWithKey(services)
  const [headers, elsewhere] = [await asPerson(services, { userId: user.id }), await asPerson(services, { userId: user.id })]
  expect((await ask('GET /account', { key: value })).status).toBe(200)
  await services.pool.query(`update request_counts set requests = 2000000 where subject = $1`, [`user:${user.id}`])
  expect((await ask('GET /account', { key: value })).status).toBe(429)

  const body = { query: `mutation { revokeApiKey(input: { id: "${key.id}" }) { state } }` }
  const revoked = await ask('POST //graphql', { body, headers })
  expect(JSON.parse(revoked.text).data).toEqual({ revokeApiKey: { state: 'REVOKED' } })
  const left = (answer: typeof revoked) => Number(answer.headers['x-ratelimit-remaining'])
  const again = await ask('POST //graphql', { body: { query: `{ team(id: "${team.id}") { name } }` }, headers: elsewhere })
  expect(left(again)).toBe(left(revoked) - 1)
})
