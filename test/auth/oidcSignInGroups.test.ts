import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { lastGroupsClaim } from '../../src/domain/access/sessions/groupsClaims.ts'
import { findMembership } from '../../src/domain/access/teams/memberships.ts'
import { setTeamGroup } from '../../src/domain/access/teams/teamGroups.ts'
import { testApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { aServiceContext, aTeam, aUser } from '../support/factories.ts'
import { anIdentityProvider } from '../support/people/identityProvider.ts'

const clock = testClock()
const provider = await anIdentityProvider(clock)
provider.endpoints = { scopes_supported: ['openid', 'groups'] }
const app = await testApp({ undescribed: true, clock, oidc: { ...provider.settings, groupsClaim: 'realm.groups' } })
afterAll(async () => {
  await app.close()
  await provider.close()
})
const tool = aServiceContext(app.services)
const { team } = await aTeam(app.services)
await setTeamGroup(tool, { teamId: team.id, group: '/studio/leads', role: 'admin' })

let person = await aUser(app.services)
beforeEach(async () => {
  person = await aUser(app.services)
  app.logged.length = 0
})

/** Signs the person in with these claims. Returns their role in the team, after a check that they are signed in. */
async function roleAfter(claims: object) {
  provider.person = { sub: person.id, email: person.email, email_verified: true, ...claims }
  const left = await app.ask('POST //auth/sign-in/social', { body: { provider: 'oidc' }, headers: { origin: app.origin } })
  const cookie = String(left.headers['set-cookie']).split(';')[0] ?? ''
  const back = await app.ask(`GET ${await provider.authorize(JSON.parse(left.text).url)}`, { headers: { cookie } })
  expect(back.headers['location']).toBe('/integrations')
  return (await findMembership(tool, { teamId: team.id, userId: person.id }))?.role
}

test('the groups of the ID token give the role at each sign-in, and an empty list takes it', async () => {
  expect(await roleAfter({ realm: { groups: ['everyone', '/studio/leads'] } })).toBe('admin')
  expect(await roleAfter({ realm: { groups: ['everyone'] } })).toBeUndefined()
})

test('a missing claim and a malformed claim change no membership; each is logged once, without its content', async () => {
  expect(await roleAfter({ realm: { groups: ['/studio/leads'] } })).toBe('admin')
  for (const claims of [{}, {}, { realm: { groups: 'none' } }, { realm: { groups: [1] } }]) expect(await roleAfter(claims)).toBe('admin')
  expect(app.logged.filter(({ message }) => message.includes('groups claim')).map(({ message, fields }) => [message, fields])).toEqual([
    ['the groups claim in an ID token of Example ID is missing; the sign-in changes no membership', { claim: 'realm.groups' }],
    ['the groups claim in an ID token of Example ID is malformed; the sign-in changes no membership', { claim: 'realm.groups' }],
  ])
})

test('a malformed claim grants nothing, and groups with odd characters break no sign-in', async () => {
  expect(await roleAfter({ realm: { groups: '/studio/leads' } })).toBeUndefined()
  expect(await roleAfter({ realm: { groups: Array.from({ length: 1001 }, () => '/studio/leads') } })).toBeUndefined()
  const odd = ['a\0b', '\ud800', '/STUDIO/LEADS', ' /studio/leads', '/studio/leads\u200b', randomUUID().repeat(99)]
  expect(await roleAfter({ realm: { groups: odd } })).toBeUndefined()
})

test('each sign-in records what it carried as the claim, and a refused one records nothing', async () => {
  const lastOutcome = async () => (await lastGroupsClaim(tool, { issuer: provider.settings.issuer, claim: 'realm.groups' }))?.outcome
  await roleAfter({ realm: { groups: [] } })
  expect(await lastOutcome()).toBe('read')
  await roleAfter({})
  expect(await lastOutcome()).toBe('missing')
  await roleAfter({ realm: { groups: 'none' } })
  expect(await lastOutcome()).toBe('malformed')
  provider.person = { sub: randomUUID(), email: 'stranger@example.org', email_verified: false, realm: { groups: [] } }
  const left = await app.ask('POST //auth/sign-in/social', { body: { provider: 'oidc' }, headers: { origin: app.origin } })
  const cookie = String(left.headers['set-cookie']).split(';')[0] ?? ''
  await app.ask(`GET ${await provider.authorize(JSON.parse(left.text).url)}`, { headers: { cookie } })
  expect(await lastOutcome()).toBe('malformed')
})
