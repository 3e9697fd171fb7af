import { afterAll, expect, test } from 'vitest'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { listAudit } from '../../src/domain/audit/listAudit.ts'
import { pruneAudit } from '../../src/domain/audit/pruneAudit.ts'
import { contextFor, transaction } from '../../src/domain/context.ts'
import { changesBetween, recordAudit } from '../../src/domain/recordAudit.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { testServices } from '../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

const logOf = (teamId: string) => listAudit(tool, { teamId }, { limit: 50, fromTheEnd: false })
const actionsOf = async (teamId: string) => (await logOf(teamId)).map(({ action }) => action)

test('an entry records actor, action, subject, time and origin', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const origin = { address: '192.0.2.7', userAgent: 'Browser/1', requestId: 'req_1', tool: 'not for people' }
  await revokeKey(contextFor(services, { kind: 'person', userId: user.id }, origin), key.id)
  const [entry] = await logOf(team.id)
  expect(entry).toMatchObject({
    at: clock.now(),
    teamId: team.id,
    actorKind: 'person',
    actorId: user.id,
    actorName: user.name,
    tool: null,
    action: 'key.revoked',
    subjectId: key.id,
    subjectName: 'test key',
    address: '192.0.2.7',
    userAgent: 'Browser/1',
    requestId: 'req_1',
  })
  await updateTeam(contextFor(services, { kind: 'service' }, { ...origin, tool: 'billing' }), { id: team.id, blocked: true, name: 'Other' })
  expect((await logOf(team.id))[0]).toMatchObject({
    actorKind: 'service',
    actorId: null,
    tool: 'billing',
    before: { blocked: false },
    after: { blocked: true, changed: ['name'] },
  })
})

test('neither an unchanged object nor a failed change adds an entry', async () => {
  const { team, key } = await aTeamWithKey(services)
  await revokeKey(tool, key.id)
  const before = await actionsOf(team.id)
  await revokeKey(tool, key.id)
  await updateTeam(tool, { id: team.id, blocked: false })
  const failing = transaction(tool, async (inside) => {
    await recordAudit(inside, { action: 'team.updated', teamId: team.id, subjectId: team.id })
    throw new Error('after all')
  })
  await expect(failing).rejects.toThrow('after all')
  expect(await actionsOf(team.id)).toEqual(before)
  expect(before.filter((action) => action === 'key.revoked')).toHaveLength(1)
})

test('an audit entry outside a transaction is rejected', async () => {
  await expect(recordAudit(tool, { action: 'team.updated' })).rejects.toThrow('an audit entry is written in the transaction of its change')
})

test('entries are immutable: only the address and user agent can be erased, and only expired entries deleted', async () => {
  const { team } = await aTeamWithKey(services)
  const { pool } = services
  const before = await logOf(team.id)
  for (const forgery of [
    `update audit_entries set action = 'team.created' where team_id = $1`,
    `update audit_entries set address = '192.0.2.1' where team_id = $1`,
    'delete from audit_entries where team_id = $1',
  ]) {
    await expect(pool.query(forgery, [team.id])).rejects.toThrow('append-only')
  }
  await expect(pool.query('truncate audit_entries')).rejects.toThrow('append-only')
  await expect(
    pool.query(`update audit_entries set address = null, user_agent = null, request_id = 'x' where team_id = $1`, [team.id]),
  ).rejects.toThrow('append-only')
  await pool.query('update audit_entries set address = null, user_agent = null where team_id = $1', [team.id])
  expect(await logOf(team.id)).toEqual(before)
  expect(await pruneAudit(tool)).toBe(0)
  await clock.advance(400 * 86_400_000)
  expect(await pruneAudit(tool)).toBe(0)
  await clock.advance(1)
  expect(await pruneAudit(tool)).toBeGreaterThan(before.length)
  expect(await logOf(team.id)).toEqual([])
})

test('a change lists the fields that differ, and of redacted fields only their names', () => {
  const before = { name: 'a', blocked: false, planExpiresAt: null }
  expect(changesBetween(before, { name: 'a', blocked: false })).toBeUndefined()
  expect(changesBetween(before, { name: 'b', blocked: true }, ['name'])).toEqual({
    before: { blocked: false },
    after: { blocked: true, changed: ['name'] },
  })
})
