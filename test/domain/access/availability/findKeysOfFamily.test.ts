import { afterAll, expect, test } from 'vitest'
import { hundredths } from '../../../../src/contract/hundredths.ts'
import { findKeysOfFamily } from '../../../../src/domain/access/availability/findKeysOfFamily.ts'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import type { Scope } from '../../../../src/entities/ApiKey.ts'
import { pagesRead } from '../../../support/database/pagesRead.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser, restScopes } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)
const { pool } = services
const context = aServiceContext(services)
const family = { id: 'sandbox-image', creditsFrom: hundredths(100), requiresSubscription: false }

type Issued = { teamId: string; userId: string; scopes?: readonly Scope[]; singleLimitCredits?: number; dailyLimitCredits?: number }

/** Returns the identifier of a key that was used today. */
async function aKey({ scopes = ['generations:write'], ...issued }: Issued): Promise<string> {
  const { apiKey } = await issueKey(context, { name: 'bot', scopes, ...issued })
  await pool.query('update api_keys set last_used_at = present() where id = $1', [apiKey.id])
  return apiKey.id
}

/** Adds ended generations of a key, which the team or the person `payer` paid. */
const addUse = (
  keyId: string,
  generations: number,
  { payer, daysAgo = 0, familyId = family.id }: { payer?: string; daysAgo?: number; familyId?: string } = {},
) =>
  pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, failed)
       select a.id, k.team_id, utc_day(present()) - $4::integer, k.id, $5, $2
         from api_keys k join credit_accounts a on a.user_id = $3 or ($3 is null and a.team_id = k.team_id) where k.id = $1`,
    [keyId, generations, payer ?? null, daysAgo, familyId],
  )

test('names the keys that started the family in 30 days, the most used first, and counts the others that may', async () => {
  const own = await aTeamWithKey(services)
  const {
    team: { id: teamId },
    user: { id: userId },
  } = own
  await anEnding(own, 'failed')
  await pool.query('update api_keys set last_used_at = present() where id = $1', [own.key.id])
  const [busy, old, other] = [await aKey({ teamId, userId }), await aKey({ teamId, userId }), await aKey({ teamId, userId })]
  for (const daysAgo of [0, 29]) await addUse(busy, 2, { daysAgo })
  await addUse(old, 9, { daysAgo: 30 })
  await addUse(other, 9, { familyId: 'sandbox-audio' })
  expect(await findKeysOfFamily(context, teamId, family)).toEqual({
    inUse: [
      { keyId: busy, generations: 4 },
      { keyId: own.key.id, generations: 1 },
    ],
    inUseCount: 2,
    otherCount: 2,
  })
})

test('a key that just started its first generation is in use', async () => {
  const own = await aTeamWithKey(services)
  await anEnding(own, 'failed', {
    before: async () => {
      const inUse = [{ keyId: own.key.id, generations: 1 }]
      expect(await findKeysOfFamily(context, own.team.id, family)).toEqual({ inUse, inUseCount: 1, otherCount: 0 })
    },
  })
})

test('keys that cannot start the family are left out, and so are those of other teams', async () => {
  const {
    team: { id: teamId },
    user: { id: userId },
  } = await aTeam(services)
  const admin = await aUser(services)
  await setTeamMember(context, { teamId, userId: admin.id, role: 'admin' })
  const useless = [
    await aKey({ teamId, userId, scopes: ['generations:read'] }),
    await aKey({ teamId, userId, scopes: ['mcp'] }),
    await aKey({ teamId, userId, dailyLimitCredits: 0 }),
    await aKey({ teamId, userId, singleLimitCredits: 0.99 }),
    await aKey({ teamId, userId: admin.id }),
    await aKey({ teamId, userId }),
  ]
  await pool.query('update api_keys set revoked_at = present() where id = $1', [useless.at(-1)])
  const foreign = await aTeamWithKey(services)
  await anEnding(foreign, 'failed')
  for (const keyId of useless) await addUse(keyId, 1)
  await setTeamMember(context, { teamId, userId: admin.id, role: 'member' })
  expect(await findKeysOfFamily(context, teamId, family)).toEqual({ inUse: [], inUseCount: 0, otherCount: 0 })
  const able = await aKey({ teamId, userId, singleLimitCredits: 1 })
  await addUse(able, 3)
  expect(await findKeysOfFamily(context, teamId, family)).toMatchObject({ inUse: [{ keyId: able, generations: 3 }], otherCount: 0 })
  expect(await findKeysOfFamily(context, teamId, { ...family, requiresSubscription: true })).toMatchObject({ inUseCount: 0, otherCount: 0 })
})

test('an agent key counts the generations that its person paid for, while they have a subscription', async () => {
  const {
    team: { id: teamId },
  } = await aTeam(services)
  const { id: userId } = await aUser(services, { subscriptionActive: true })
  await setTeamMember(context, { teamId, userId, role: 'member' })
  const keyId = await aKey({ teamId, userId, scopes: ['mcp'] })
  await addUse(keyId, 5, { payer: userId })
  expect(await findKeysOfFamily(context, teamId, family)).toMatchObject({ inUse: [{ keyId, generations: 5 }], inUseCount: 1 })
  await pool.query('update users set subscription_active = false where id = $1', [userId])
  expect(await findKeysOfFamily(context, teamId, family)).toEqual({ inUse: [], inUseCount: 0, otherCount: 0 })
})

test('of 2,000 keys of a team the ten that used it most are returned, with a bounded number of reads', async () => {
  const { team, user } = await aTeam(services)
  await pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash, last_used_at)
       select 'key_' || lpad(n::text, 26, '0'), $1, $2, 'bot ' || n, $3, 'atl_00000000', sha256(n::text::bytea), present()
         from generate_series(1, 2000) n`,
    [team.id, user.id, restScopes],
  )
  await pool.query(
    `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready)
       select a.id, k.team_id, utc_day(present()) - ago, k.id, family, 1
         from api_keys k join credit_accounts a using (team_id), generate_series(0, 119) ago, unnest($2::text[]) family
         where k.team_id = $1 and k.id < $3`,
    [team.id, ['sandbox-audio', family.id], `key_${'301'.padStart(26, '0')}`],
  )
  await pool.query('analyze')
  const found = await findKeysOfFamily(context, team.id, family)
  expect(found).toMatchObject({ inUse: Array(10).fill({ generations: 30 }) })
  expect(found.inUseCount + found.otherCount).toBe(2000)
  const read = (table: string) =>
    pagesRead(context, { table, planMode: 'force_generic_plan' }, (inside) => findKeysOfFamily(inside, team.id, family))
  expect(await read('api_keys')).toBeLessThan(4 * 2000)
  expect(await read('usage_days')).toBeLessThan(6 * 30 * 1000)
})
