import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { inviteMember } from '../../src/domain/access/invitations/inviteMember.ts'
import { testApp } from '../support/app.ts'
import { aTeam, aUser } from '../support/factories.ts'
import { aPersonContext, aSession } from '../support/people/sessions.ts'

const { ask, origin, services, close } = await testApp({ undescribed: true })
afterAll(close)

const password = 'correct horse battery'
const post = (path: string, body: object, more: Record<string, string> = {}) =>
  ask(`POST //auth/${path}`, { body, headers: { origin, ...more } })

async function anInvitation(email = `${randomUUID()}@example.test`) {
  const { team, user } = await aTeam(services)
  const { url } = await inviteMember(aPersonContext(services, { userId: user.id }), { teamId: team.id, email, role: 'member' })
  return { team, owner: user, email, token: url?.split('#')[1] ?? '' }
}

test('the page of an invitation shows team, role, address and who invited', async () => {
  const { team, owner, email, token } = await anInvitation()
  const shown = { teamId: team.id, teamName: team.name, email, role: 'member', invitedBy: owner.name, expiresAt: expect.any(String) }
  expect((await post('invitation', { token })).body).toEqual({ ...shown, signedInAs: null })
  const cookie = await aSession(services, { userId: owner.id })
  expect((await post('invitation', { token }, { cookie })).body).toEqual({ ...shown, signedInAs: owner.email })
})

test('a newcomer sets a password, is signed in, and the link is used up', async () => {
  const { team, token } = await anInvitation()
  const answer = await post('invitation/accept', { token, name: 'Ada', password })
  expect(answer.body).toEqual({ teamId: team.id })
  const cookie = String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const query = '{ viewer { user { name memberships { nodes { role team { id } } } } } }'
  const viewer = await ask('POST //graphql', { body: { query }, headers: { origin, cookie } })
  expect(JSON.parse(viewer.text).data.viewer.user).toEqual({
    name: 'Ada',
    memberships: { nodes: [{ role: 'MEMBER', team: { id: team.id } }] },
  })
  for (const path of ['invitation', 'invitation/accept']) expect((await post(path, { token }, { cookie })).status).toBe(404)
})

test('a signed-in person accepts with their session', async () => {
  const user = await aUser(services)
  const { team, token } = await anInvitation(user.email)
  expect((await post('invitation/accept', { token })).status).toBe(401)
  const stranger = await aSession(services, { userId: (await aUser(services)).id })
  expect((await post('invitation/accept', { token }, { cookie: stranger })).status).toBe(403)
  const cookie = await aSession(services, { userId: user.id })
  expect((await post('invitation/accept', { token }, { cookie })).body).toEqual({ teamId: team.id })
})

test.each([
  ['without a token', {}],
  ['with a name alone', { token: 'x', name: 'Ada' }],
  ['with another field', { token: 'x', role: 'owner' }],
  ['with a token of another type', { token: ['x'] }],
])('a request %s is refused', async (_words, body) => {
  expect((await post('invitation/accept', body)).status).toBe(400)
})

test('a page of another origin cannot accept', async () => {
  const { token } = await anInvitation()
  const answer = await ask('POST //auth/invitation/accept', {
    body: { token, name: 'Ada', password },
    headers: { origin: 'https://evil.example' },
  })
  expect(answer.status).toBe(403)
})
