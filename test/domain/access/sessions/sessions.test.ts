import { afterAll, expect, test } from 'vitest'
import { deleteUser } from '../../../../src/domain/access/people/deleteUser.ts'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { findIdentity, saveIdentity } from '../../../../src/domain/access/sessions/signInRecords.ts'
import { aServiceContext, aUser } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

test('a person who is deleted during an OIDC sign-in gets no session and no identity', async () => {
  const { id: userId } = await aUser(services)
  await deleteUser(tool, userId)
  await saveIdentity(tool, { issuer: 'https://id.test', subject: 'late', userId })
  expect(await findIdentity(tool, 'https://id.test', 'late')).toBeUndefined()
  expect(await openSession(tool, { userId, token: 'late' })).toBeUndefined()
  const { rows } = await services.pool.query('select id from auth.sessions where user_id = $1', [userId])
  expect(rows).toEqual([])
})
