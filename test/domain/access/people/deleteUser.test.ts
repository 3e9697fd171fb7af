import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { deleteUser } from '../../../../src/domain/access/people/deleteUser.ts'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { addTeamMember } from '../../../../src/domain/access/teams/addTeamMember.ts'
import { removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { setTeamGroup } from '../../../../src/domain/access/teams/teamGroups.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { aPersonContext } from '../../../support/people/sessions.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

const membersOf = async (teamId: string) =>
  (await services.pool.query('select user_id as id, role from memberships where team_id = $1', [teamId])).rows

/** Begins a transaction with a statement, which holds its locks. Returns the function that commits it. */
async function holdLocks(statement: string, userId: string) {
  const client = await services.pool.connect()
  await client.query('begin')
  await client.query(statement, [userId])
  return async () => {
    await client.query('commit')
    client.release()
  }
}

/** Returns when the work waits for a lock, or has ended. `end`: `done`, or the code of the refusal. */
async function untilBlocked(work: Promise<unknown>): Promise<{ end: Promise<string> }> {
  let isOver = false
  const end = work.then(
    () => 'done',
    ({ code }) => String(code),
  )
  void end.then(() => {
    isOver = true
  })
  await expect.poll(async () => isOver || (await isWaiting()), { timeout: 20_000 }).toBe(true)
  return { end }
}

async function isWaiting(): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return ((await services.pool.query(waiting)).rowCount ?? 0) > 0
}

test('a person whom groups make an owner while they are deleted is not deleted, so that the team keeps an owner', async () => {
  const { team, user: other } = await aTeam(services)
  const { id } = await aUser(services)
  const group = randomUUID()
  await setTeamGroup(tool, { teamId: team.id, group, role: 'owner' })
  const letPerson = await holdLocks('select from users where id = $1 for share', id)
  const deletion = await untilBlocked(deleteUser(tool, id))
  await openSession(tool, { userId: id, token: randomUUID(), groups: [group] })
  const letSessions = await holdLocks('select from auth.sessions where user_id = $1 for update', id)
  await letPerson()
  // The deletion waits for the sessions, or has been refused. Then the other owner leaves.
  await untilBlocked(deletion.end)
  await removeTeamMember(aPersonContext(services, { userId: other.id }), { teamId: team.id, userId: other.id })
  await letSessions()
  expect(await deletion.end).toBe('invalid_request')
  expect(await membersOf(team.id)).toEqual([{ id, role: 'owner' }])
  expect((await services.pool.query('select deleted_at from users where id = $1', [id])).rows).toEqual([{ deleted_at: null }])
})

test.for([
  ['setTeamMember', (teamId: string, { id }: { id: string }) => setTeamMember(tool, { teamId, userId: id, role: 'owner' })],
  ['addTeamMember', (teamId: string, { email }: { email: string }) => addTeamMember(tool, { teamId, email, role: 'owner' })],
] as const)('%s refuses a person whose deletion is under way', async ([_name, join]) => {
  const { team, user } = await aTeam(services)
  const person = await aUser(services)
  const letDeletion = await holdLocks('update users set deleted_at = present() where id = $1', person.id)
  const joining = await untilBlocked(join(team.id, person))
  await letDeletion()
  expect(await joining.end).toBe('invalid_request')
  expect(await membersOf(team.id)).toEqual([{ id: user.id, role: 'owner' }])
})
