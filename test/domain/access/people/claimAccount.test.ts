import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { acceptAsNewcomer } from '../../../../src/domain/access/invitations/acceptInvitation.ts'
import { inviteMember } from '../../../../src/domain/access/invitations/inviteMember.ts'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { listSessions } from '../../../../src/domain/access/sessions/ownSessions.ts'
import { signIn } from '../../../../src/domain/access/sessions/signIn.ts'
import { saveIdentity } from '../../../../src/domain/access/sessions/signInRecords.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const password = 'correct horse battery'
const address = '198.51.100.7'
const identity = (userId: string) => ({ issuer: 'https://id.example.test', subject: randomUUID(), userId })

test('who made an account for the address of somebody else loses it when that person signs in', async () => {
  const { team } = await aTeam(services)
  const email = `${randomUUID()}@example.test`
  const { url } = await inviteMember(tool, { teamId: team.id, email, role: 'admin' })
  const { userId } = await acceptAsNewcomer(tool, { token: url?.split('#')[1] ?? '', name: 'Eve', password })
  await openSession(tool, { userId, token: 'of eve' })
  const { apiKey } = await issueKey(tool, { teamId: team.id, userId, name: 'of eve', scopes: ['catalog:read'] })

  await saveIdentity(tool, identity(userId))
  expect(await listSessions(tool, userId)).toEqual([])
  expect(await refused(signIn(tool, { email, password, address }))).toMatchObject({ code: 'unauthorized' })
  const { rows } = await services.pool.query('select revoked_at is not null as revoked from api_keys where id = $1', [apiKey.id])
  expect(rows).toEqual([{ revoked: true }])
})

test('a verified address keeps its password and sessions', async () => {
  const user = await aUser(services, { password })
  await openSession(tool, { userId: user.id, token: 'own' })
  await saveIdentity(tool, identity(user.id))
  expect(await listSessions(tool, user.id)).toHaveLength(1)
  expect(await signIn(tool, { email: user.email, password, address })).toMatchObject({ userId: user.id })
})
