import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { createTeam, updateTeam } from '../../src/domain/access/teams/teams.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../support/factories.ts'
import { issueOf } from '../support/refused.ts'

const app = await testApp({ settings: { requestsPerMinute: 5, requestsInProgress: 2 } })
afterAll(() => app.close())
const tool = aServiceContext(app.services)

async function limitsOf(key: string): Promise<unknown[]> {
  const { status, headers } = await app.ask('GET /account', { key })
  return [status, headers['x-ratelimit-limit'], headers['x-concurrency-limit']]
}

test('a user has the highest limits of their teams, at once, and those of the deployment without a tier', async () => {
  const { team, user, value } = await aTeamWithKey(app.services)
  expect(await limitsOf(value)).toEqual([200, '5', '2'])
  await updateTeam(tool, { id: team.id, requestsPerMinute: 3, requestsInProgress: 7 })
  expect(await limitsOf(value)).toEqual([200, '3', '7'])
  const better = await createTeam(tool, { name: 'Better' })
  await updateTeam(tool, { id: better.id, requestsPerMinute: 900 })
  await setTeamMember(tool, { teamId: better.id, userId: user.id, role: 'member' })
  expect(await limitsOf(value)).toEqual([200, '900', '7'])
  await updateTeam(tool, { id: better.id, requestsPerMinute: null })
  await updateTeam(tool, { id: team.id, requestsPerMinute: null, requestsInProgress: null })
  expect(await limitsOf(value)).toEqual([200, '5', '2'])
})

test('the tier is the limit that refuses, with its number', async () => {
  const { team, value } = await aTeamWithKey(app.services)
  await updateTeam(tool, { id: team.id, requestsPerMinute: 2 })
  const statuses = [await limitsOf(value), await limitsOf(value), await limitsOf(value)].map(([status]) => status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await app.ask('GET /account', { key: value })).body.error).toMatchObject({ code: 'rate_limited', details: { limit: 2 } })
})

test('a user is counted once over all teams and keys', async () => {
  const { team, user, value } = await aTeamWithKey(app.services)
  const another = await aUser(app.services)
  await setTeamMember(tool, { teamId: team.id, userId: another.id, role: 'admin' })
  await updateTeam(tool, { id: team.id, requestsPerMinute: 4 })
  await limitsOf(value)
  const { rows } = await app.services.pool.query('select subject, requests from request_counts where subject = any ($1)', [
    [`user:${user.id}`, `user:${another.id}`],
  ])
  expect(rows).toEqual([{ subject: `user:${user.id}`, requests: 1 }])
})

test.each([
  [{ requestsPerMinute: 0 }, 'requestsPerMinute: too_small'],
  [{ requestsPerMinute: 1_000_001 }, 'requestsPerMinute: too_big'],
  [{ requestsInProgress: -1 }, 'requestsInProgress: too_small'],
  [{ requestsInProgress: 10_001 }, 'requestsInProgress: too_big'],
])('%j is refused', async (change, issue) => {
  const { team } = await aTeamWithKey(app.services)
  expect(await issueOf(updateTeam(tool, { id: team.id, ...change }))).toBe(issue)
})
