import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { aServiceContext, aTeam } from '../../../support/factories.ts'
import { aPersonContext } from '../../../support/people/sessions.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)

test('a person issues at most 200 keys within any day, also if they revoke some; tools have no limit', async () => {
  const { team, user } = await aTeam(services)
  const issue = (context = aPersonContext(services, { userId: user.id })) =>
    issueKey(context, { teamId: team.id, name: 'again', scopes: ['catalog:read'], userId: user.id })
  for (let issued = 0; issued < 199; issued += 1) await issue(aServiceContext(services))
  await services.pool.query('update api_keys set revoked_at = created_at')
  await issue()
  const refusal = await refused(issue())
  expect(refusal).toMatchObject({ code: 'rate_limited', details: { limit: 200, retryAfterSeconds: expect.any(Number) } })
  expect(await issue(aServiceContext(services))).toMatchObject({ apiKey: { userId: user.id } })
  await clock.advance(24 * 3_600_000)
  expect(await issue()).toMatchObject({ apiKey: { userId: user.id } })
})

test('of 20 concurrent keys from the 196th on, five are issued', async () => {
  const { team, user } = await aTeam(services)
  const asked = { teamId: team.id, name: 'again', scopes: ['catalog:read'] as const, userId: user.id }
  for (let issued = 0; issued < 195; issued += 1) await issueKey(aServiceContext(services), asked)
  const person = () => aPersonContext(services, { userId: user.id })
  const issued = await Promise.allSettled(Array.from({ length: 20 }, () => issueKey(person(), asked)))
  expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})
