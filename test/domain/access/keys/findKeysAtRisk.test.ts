import { afterAll, expect, test } from 'vitest'
import { findKeysAtRisk } from '../../../../src/domain/access/keys/findKeysAtRisk.ts'
import { pagesRead } from '../../../support/database/pagesRead.ts'
import { aServiceContext, aTeam } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)
const { pool } = services
const context = aServiceContext(services)
const { team, user } = await aTeam(services)

const addKeys = (from: number, to: number, teamId: string) =>
  pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash)
       select 'key_' || lpad(n::text, 26, '0'), $1, $2, 'bot ' || n, '{catalog:read}', 'atl_00000000', sha256(($1 || n)::bytea)
         from generate_series($3::integer, $4::integer) n`,
    [teamId, user.id, from, to],
  )

const keyAt = (n: number) => `key_${String(n).padStart(26, '0')}`

test('the keys at risk of a team are found without those of others', async () => {
  await addKeys(1, 1000, team.id)
  await addKeys(1001, 10_000, (await aTeam(services)).team.id)
  await pool.query('analyze api_keys')
  expect(await findKeysAtRisk(context, team.id)).toEqual([])
  const change = (n: number, set: string) => pool.query(`update api_keys set ${set} where id = $1`, [keyAt(n)])
  await change(1, `expires_at = present() + interval '6 days'`)
  await change(2, `expires_at = present() + interval '8 days'`)
  await change(3, `daily_limit = 1000, charged_day = utc_day(present()), charged_on_day = 800`)
  await change(4, `daily_limit = 1000, charged_day = utc_day(present()), charged_on_day = 799`)
  await change(5, `monthly_limit = 1000, charged_month = utc_month(present()), charged_in_month = 800`)
  await change(6, `daily_limit = 0`)
  await change(7, `expires_at = present() + interval '6 days', revoked_at = present()`)
  expect((await findKeysAtRisk(context, team.id)).map(({ id }) => id)).toEqual([keyAt(5), keyAt(3), keyAt(1)])
  const pages = await pagesRead(context, { table: 'api_keys', planMode: 'force_generic_plan' }, (inside) => findKeysAtRisk(inside, team.id))
  expect(pages).toBeLessThan(3 * 1000)
  await pool.query('delete from memberships where team_id = $1', [team.id])
  expect(await findKeysAtRisk(context, team.id)).toHaveLength(50)
})
