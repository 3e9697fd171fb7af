import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { uiPermissions } from '../../../scripts/generate/uiPermissions.ts'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { keyAuthorization } from '../../../src/domain/access/keys/keyAuthorization.ts'
import { roleMay } from '../../../src/domain/access/permissions.ts'
import { removeTeamMember, setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import type { Scope } from '../../../src/entities/ApiKey.ts'
import { type Role, roles } from '../../../src/entities/Membership.ts'
import { aServiceContext, aTeam } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

async function planOf(sql: string): Promise<string> {
  const { rows } = await services.pool.query<{ 'QUERY PLAN': string }>(`explain (verbose, costs off) ${sql}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('the permissions of the admin UI are those of the table: run node scripts/generate/generateUiTypes.ts', () => {
  const file = join(import.meta.dirname, '../../../src/admin-ui/api/permissions.generated.ts')
  expect(readFileSync(file, 'utf8')).toBe(uiPermissions())
})

test('the SQL function manages_team has the roles of keys.manage', async () => {
  const { rows } = await services.pool.query<{ role: Role | null; manages: boolean }>(
    'select role, manages_team(role) as manages from unnest($1::text[]) as asked (role)',
    [[...roles, null]],
  )
  expect(rows).toEqual([...roles, null].map((role) => ({ role, manages: roleMay(role, 'keys.manage') })))
})

test.each<[string, Scope[], 'keys.issue' | 'agentKeys.issue']>([
  ['a key', ['generations:read', 'mcp'], 'keys.issue'],
  ['an agent key', ['mcp'], 'agentKeys.issue'],
])('%s works in SQL as long as the role of its issuer permits to issue it', async (_, scopes, action) => {
  const { team, user } = await aTeam(services)
  const [teamId, userId] = [team.id, user.id]
  await setTeamMember(tool, { teamId, userId, role: 'owner' })
  const { apiKey } = await issueKey(tool, { teamId, userId, name: 'key', scopes })
  for (const role of roles) {
    await setTeamMember(tool, { teamId, userId, role })
    expect([role, (await keyAuthorization(tool, apiKey)).issuer]).toEqual([role, roleMay(role, action)])
  }
  await removeTeamMember(tool, { teamId, userId })
  expect((await keyAuthorization(tool, apiKey)).issuer).toBe(false)
})

test('PostgreSQL inlines key_standing and daily_left, and joins no membership that is not read', async () => {
  const standing = await planOf(`select is_live from key_standing() where key_id = 'key_1'`)
  expect(standing).not.toMatch(/Function Scan|memberships/)
  expect(await planOf(`select issuer_may_act from key_standing() where key_id = 'key_1'`)).not.toMatch(
    /Function Scan|memberships (holder|previous)/,
  )
  expect(await planOf('select daily_left(k) from api_keys k')).not.toContain('daily_left(')
})
