import { afterAll, expect, test } from 'vitest'
import { changePassword } from '../../../../src/domain/access/sessions/changePassword.ts'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { listSessions } from '../../../../src/domain/access/sessions/ownSessions.ts'
import { signIn } from '../../../../src/domain/access/sessions/signIn.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { aServiceContext, aUser } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const oldPassword = 'correct horse battery'

async function aSignedInPerson(options: { password?: string } = { password: oldPassword }) {
  const user = await aUser(services, options)
  const session = await openSession(tool, { userId: user.id, token: user.id })
  const actor = { kind: 'person', userId: user.id, sessionId: session?.id ?? '' } as const
  const origin = { address: '198.51.100.9', userAgent: null, requestId: null, tool: null }
  return { user, context: { ...contextFor(services, actor, origin), actor } }
}

test('a changed password ends the other sessions, and is recorded', async () => {
  const { user, context } = await aSignedInPerson()
  await openSession(tool, { userId: user.id, token: 'elsewhere' })
  expect(await changePassword(context, { oldPassword, newPassword: 'another password' })).toBe(1)
  expect((await listSessions(tool, user.id)).map(({ id }) => id)).toEqual([context.actor.sessionId])
  const { rows } = await services.pool.query(
    `select actor_id, after from audit_entries where action = 'user.password_changed' and subject_id = $1`,
    [user.id],
  )
  expect(rows).toEqual([{ actor_id: user.id, after: { sessionsEnded: 1 } }])
  await signIn(tool, { email: user.email, password: 'another password', address: '198.51.100.10' })
})

test('guesses of the old password are limited as at the sign-in', async () => {
  const { context } = await aSignedInPerson()
  const guess = () => changePassword(context, { oldPassword: 'a wrong guess', newPassword: 'another password' })
  for (let nth = 0; nth < 5; nth++) expect(await issueOf(guess())).toBe('oldPassword: not_allowed')
  expect(await refused(guess())).toMatchObject({ code: 'rate_limited' })
  expect(await refused(changePassword(context, { oldPassword, newPassword: 'another password' }))).toMatchObject({ code: 'rate_limited' })
})

test('a short new password and a person without a password are refused', async () => {
  const { context } = await aSignedInPerson()
  expect(await issueOf(changePassword(context, { oldPassword, newPassword: 'short' }))).toBe('newPassword: too_small')
  const { context: without } = await aSignedInPerson({})
  expect(await issueOf(changePassword(without, { oldPassword: '', newPassword: 'another password' }))).toBe('oldPassword: not_allowed')
})
