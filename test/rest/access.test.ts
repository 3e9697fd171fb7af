import { afterAll, describe, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import type { Scope } from '../../src/entities/ApiKey.ts'
import { makeApiKey } from '../../src/secrets/apiKeyText.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser, restScopes, type TeamWithKey } from '../support/factories.ts'
import { everyEndpoint } from '../support/http/everyEndpoint.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)

async function withGeneration(team: TeamWithKey): Promise<TeamWithKey & { id: string }> {
  const started = await app.ask('POST /generations', { key: team.value, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  return { ...team, id: started.body.generationId }
}

const team = await withGeneration(await aTeamWithKey(services))
const cases = everyEndpoint(team.id)

describe.each(cases)('$what', ({ what, scope, asked, status }) => {
  test('takes a key with its scope alone', async () => {
    const { value } = await issueKey(operator, { teamId: team.team.id, name: 'one scope', scopes: [scope] })
    expect((await app.ask(what, { ...asked, key: value })).status).toBe(status)
  })

  test('refuses a request without a key, and says how to bring one', async () => {
    const answer = await app.ask(what, asked)
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized', retryable: false } } })
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="atelier"')
  })

  test('refuses a key that does not exist', async () => {
    const answer = await app.ask(what, { ...asked, key: makeApiKey().value })
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_token', retryable: false } } })
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('refuses a key that has every scope but its own, and names it', async () => {
    const granted: Scope[] = [...restScopes, 'mcp' as const].filter((each) => each !== scope)
    const { value } = await issueKey(operator, { teamId: team.team.id, name: 'all but one', scopes: granted })
    const answer = await app.ask(what, { ...asked, key: value })
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope', retryable: false } } })
    expect(answer.body.error.details).toEqual({ required: scope, granted })
  })
})

const odd: [name: string, authorization: string, code: string][] = [
  ['nothing', '', 'unauthorized'],
  ['a scheme without a value', 'Bearer', 'unauthorized'],
  ['a scheme and a space', 'Bearer ', 'unauthorized'],
  ['another scheme', `Basic ${team.value}`, 'unauthorized'],
  ['a value without a scheme', team.value, 'unauthorized'],
  ['two values', `Bearer ${team.value} ${team.value}`, 'unauthorized'],
  ['a comma', `Bearer ${team.value},`, 'invalid_token'],
  ['a key cut short', `Bearer ${team.value.slice(0, -1)}`, 'invalid_token'],
  ['another last character', `Bearer ${team.value.slice(0, -1)}${team.value.endsWith('0') ? '1' : '0'}`, 'invalid_token'],
  ['other letter case', `Bearer ${team.value.toUpperCase()}`, 'invalid_token'],
  ['a word', 'Bearer null', 'invalid_token'],
  ['thousands of characters', `Bearer ${'atl_'.repeat(2000)}`, 'invalid_token'],
]

test.each(odd)('an Authorization header of %s is refused', async (_name, authorization, code) => {
  const answer = await app.ask('GET /account', { headers: { authorization } })
  expect(answer).toMatchObject({ status: 401, body: { error: { code } } })
  expect(answer.text).not.toContain(team.value.slice(0, 20))
})

test('the scheme may be in any letter case, and more than one space may follow it', async () => {
  for (const start of ['bearer ', 'BEARER ', 'Bearer   ']) {
    expect((await app.ask('GET /account', { headers: { authorization: start + team.value } })).status).toBe(200)
  }
})

type Change = (made: TeamWithKey) => Promise<unknown>
const changes: [name: string, change: Change, status: number, error: object][] = [
  ['its team is blocked', ({ team: { id } }) => updateTeam(operator, { id, blocked: true }), 403, { code: 'account_blocked' }],
  [
    'external access is switched off',
    ({ team: { id } }) => updateTeam(operator, { id, externalAccess: false }),
    403,
    { code: 'access_denied' },
  ],
  [
    'the plan has ended this very moment',
    ({ team: { id } }) => updateTeam(operator, { id, planExpiresAt: app.clock.now() }),
    403,
    { code: 'team_expired' },
  ],
  [
    'its issuer has left the team',
    ({ team, user }) => removeTeamMember(operator, { teamId: team.id, userId: user.id }),
    403,
    { code: 'team_required', details: { missing: 'team' } },
  ],
  [
    'its issuer is an ordinary member now',
    ({ team, user }) => setTeamMember(operator, { teamId: team.id, userId: user.id, role: 'member' }),
    403,
    { code: 'team_required', details: { missing: 'role' } },
  ],
  ['it is revoked', ({ key }) => revokeKey(operator, key.id), 401, { code: 'invalid_token' }],
]

test.each(changes)('when %s, the next request of a key is refused, at every endpoint', async (_name, change, status, error) => {
  const made = await withGeneration(await aTeamWithKey(services))
  await change(made)
  for (const { what, asked } of everyEndpoint(made.id)) {
    const answer = await app.ask(what, { ...asked, key: made.value })
    expect(answer).toMatchObject({ status, body: { error: { ...error, retryable: false } } })
  }
})

const harmless: [name: string, change: Change][] = [
  ['its issuer is an administrator now', ({ team, user }) => setTeamMember(operator, { teamId: team.id, userId: user.id, role: 'admin' })],
  ['the plan ends in a moment', ({ team: { id } }) => updateTeam(operator, { id, planExpiresAt: new Date(app.clock.now().getTime() + 1) })],
  ['its issuer has no subscription', ({ user }) => updateUser(operator, { id: user.id, subscriptionActive: false })],
]

test.each(harmless)('when %s, a key works on', async (_name, change) => {
  const made = await aTeamWithKey(services)
  await change(made)
  expect((await app.ask('GET /account', { key: made.value })).status).toBe(200)
})

test('an agent key is refused with insufficient_scope before the checks of team and role', async () => {
  const person = await aUser(services, { subscriptionActive: true })
  const own = await issueKey(operator, { userId: person.id, name: 'agent', scopes: ['mcp'] })
  const { team: theirs, user } = await aTeam(services, { role: 'member' })
  const ofTeam = await issueKey(operator, { teamId: theirs.id, userId: user.id, name: 'agent', scopes: ['mcp'] })
  for (const key of [own.value, ofTeam.value]) {
    expect(await app.ask('GET /account', { key })).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope', details: { required: 'account:read', granted: ['mcp'] } } },
    })
  }
})

test("a family with a subscription requires the subscription of the key's issuer", async () => {
  const [without, having] = [await aTeamWithKey(services), await aTeamWithKey(services, { subscriptionActive: true })]
  const body = { familyId: 'sandbox-locked', prompt: 'a lighthouse' }
  const refused = {
    status: 403,
    body: { error: { code: 'subscription_required', retryable: false, details: { familyId: 'sandbox-locked' } } },
  }
  expect(await app.ask('POST /generations', { key: without.value, body })).toMatchObject(refused)
  expect(await app.ask('POST /generations/estimate', { key: without.value, body })).toMatchObject(refused)
  expect(await app.ask('POST /generations', { key: having.value, body })).toMatchObject({ status: 201 })
})

test("another team's generations return 404 like unknown ones", async () => {
  const stranger = await aTeamWithKey(services)
  for (const what of [`GET /generations/${team.id}`, `GET /generations/${team.id}?wait=60`, `POST /generations/${team.id}/cancel`]) {
    expect(await app.ask(what, { key: stranger.value })).toMatchObject({ status: 404, body: { error: { code: 'generation_not_found' } } })
  }
  expect((await app.ask('GET /generations', { key: stranger.value })).body.items).toEqual([])
})

test('after a revocation none of 10,000 requests is accepted, also of those in progress', async () => {
  const made = await aTeamWithKey(services, { credits: 100_000 })
  const body = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
  const seen: { status: number; sentAt: number }[] = []
  let revokedAt = Number.POSITIVE_INFINITY
  const askOn = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const sentAt = performance.now()
      const { statusCode: status } = await app.fastify.inject(
        n % 50 === 0
          ? {
              method: 'POST',
              url: '/api/v1/generations',
              headers: { authorization: `Bearer ${made.value}`, 'content-type': 'application/json' },
              payload: JSON.stringify(body),
            }
          : { url: '/api/v1/generations?limit=1', headers: { authorization: `Bearer ${made.value}` } },
      )
      seen.push({ status, sentAt })
    }
  }
  const asking = Array.from({ length: 100 }, () => askOn(105))
  while (seen.length < 400) await new Promise(setImmediate)
  await revokeKey(operator, made.key.id)
  revokedAt = performance.now()
  await Promise.all(asking)
  const late = seen.filter(({ sentAt }) => sentAt >= revokedAt)
  expect(late.length).toBeGreaterThan(9000)
  expect(late.filter(({ status }) => status !== 401)).toEqual([])
  expect(seen.some(({ status }) => status === 201)).toBe(true)
})
