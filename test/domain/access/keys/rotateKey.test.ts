import { afterAll, expect, test } from 'vitest'
import { previousValueEndsAt } from '../../../../src/domain/access/keys/keyState.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../../../src/domain/access/keys/rotateKey.ts'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeamWithKey, aUser, restScopes } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const context = () => aServiceContext(services)
const hourMs = 3_600_000

/** Whether each of the values works now. */
async function working(...values: string[]): Promise<boolean[]> {
  const statuses = await Promise.all(values.map(async (key) => (await app.ask('GET /account', { key })).status))
  return statuses.map((status) => status === 200)
}

test('without an overlap the old value stops at once and the new value works; other settings of the key stay', async () => {
  const { key, value: old } = await aTeamWithKey(services, { dailyLimitCredits: 5 })
  const { apiKey, value } = await rotateKey(context(), { id: key.id })
  expect(await working(old, value)).toEqual([false, true])
  expect(apiKey).toMatchObject({ id: key.id, name: key.name, dailyLimit: 500, prefix: value.slice(0, 12), previousUntil: null })
  const shown = await app.ask('GET /account', { key: value })
  expect(shown.body.key).toMatchObject({ id: key.id, prefix: value.slice(0, 12) })
})

test('with an overlap both values work until it ends, by the clock of the database', async () => {
  const { key, value: old } = await aTeamWithKey(services)
  const { apiKey, value } = await rotateKey(context(), { id: key.id, overlapHours: 168 })
  const ends = new Date(clock.now().getTime() + 168 * hourMs)
  expect(previousValueEndsAt(apiKey, clock.now())).toEqual(ends)
  expect(apiKey.previousPrefix).toBe(old.slice(0, 12))
  await clock.set(new Date(ends.getTime() - 1))
  expect(await working(old, value)).toEqual([true, true])
  await clock.set(ends)
  expect(await working(old, value)).toEqual([false, true])
  expect(previousValueEndsAt(apiKey, clock.now())).toBeNull()
})

test('a second rotation during an overlap ends the oldest value at once and keeps the second', async () => {
  const { key, value: first } = await aTeamWithKey(services)
  const { value: second } = await rotateKey(context(), { id: key.id, overlapHours: 24 })
  const { value: third } = await rotateKey(context(), { id: key.id, overlapHours: 1 })
  expect(await working(first, second, third)).toEqual([false, true, true])
  const { value: fourth } = await rotateKey(context(), { id: key.id, overlapHours: 0 })
  expect(await working(first, second, third, fourth)).toEqual([false, false, false, true])
})

test('a revoke ends both values, and a revoked or expired key gets no new value', async () => {
  const { key, value: old } = await aTeamWithKey(services)
  const { value } = await rotateKey(context(), { id: key.id, overlapHours: 24 })
  const revoked = await revokeKey(context(), key.id)
  expect(await working(old, value)).toEqual([false, false])
  expect(previousValueEndsAt(revoked, clock.now())).toBeNull()
  expect(await issueOf(rotateKey(context(), { id: key.id }))).toBe('id: conflict')
  const { key: ended } = await aTeamWithKey(services)
  await updateKey(context(), { id: ended.id, expiresAt: new Date(clock.now().getTime() + 1000) })
  await clock.advance(1000)
  expect(await issueOf(rotateKey(context(), { id: ended.id }))).toBe('id: conflict')
})

test('of concurrent rotations one succeeds and the others are refused', async () => {
  const { key, value: old } = await aTeamWithKey(services)
  const holder = await services.pool.connect()
  await holder.query('begin')
  await holder.query('select from api_keys where id = $1 for update', [key.id])
  const tried = Promise.allSettled(Array.from({ length: 3 }, () => rotateKey(context(), { id: key.id, overlapHours: 1 })))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await services.pool.query(waiting)).rowCount).toBe(3)
  await holder.query('commit')
  holder.release()
  const outcomes = await tried
  const given = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.value] : []))
  const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.details.issues[0].code] : []))
  expect(refusals).toEqual(['conflict', 'conflict'])
  expect(await working(old, ...given)).toEqual([true, true])
})

test('only the issuer rotates a key with the scope mcp, which spends their credits; every administrator rotates other keys', async () => {
  const { team, user, key } = await aTeamWithKey(services, { scopes: [...restScopes, 'mcp'] })
  const { key: plain } = await aTeamWithKey(services)
  const admin = await aUser(services)
  await setTeamMember(context(), { teamId: team.id, userId: admin.id, role: 'admin' })
  const as = (userId: string) => contextFor(services, { kind: 'person', userId })
  expect(await refused(rotateKey(as(admin.id), { id: key.id }))).toMatchObject({ code: 'access_denied' })
  expect((await rotateKey(as(user.id), { id: key.id })).apiKey.id).toBe(key.id)
  expect((await rotateKey(as(admin.id), { id: plain.id })).apiKey.id).toBe(plain.id)
})
