import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrationsFolder } from '../../../src/database/migrations/migrationFiles.ts'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { rotateKey } from '../../../src/domain/access/keys/rotateKey.ts'
import { removeTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { rotateSecret } from '../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { aServiceContext, aTeam } from '../../support/factories.ts'
import { aMember, aPersonContext } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'
import { aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ clock: 'database', settings: loopback })
afterAll(close)
const tool = aServiceContext(services)

/** The statements of the upgrade that change rows, as if nobody had been recorded before. */
async function upgrade(): Promise<void> {
  const sql = await readFile(join(migrationsFolder, '0261-holders-of-shown-values.sql'), 'utf8')
  const [, keys = '', webhooks = ''] = sql.split(/^(?=do \$\$)/m)
  await services.pool.query('update api_keys set value_holder_id = null, previous_holder_id = null')
  await services.pool.query('update webhook_subscriptions set secret_holder_id = null')
  // Repeated, as after a death in the middle.
  for (const statement of [keys, webhooks, keys, webhooks]) await services.pool.query(statement)
}

test('an upgrade finds in the audit log who was shown the values that work, and stops none of them', async () => {
  const { team, user: owner } = await aTeam(services)
  const [ada, bob] = [
    await aMember(services, { teamId: team.id, role: 'admin' }),
    await aMember(services, { teamId: team.id, role: 'admin' }),
  ]
  const as = ({ id: userId }: { id: string }) => aPersonContext(services, { userId })
  const rotated = async (...turns: [by: { id: string } | undefined, overlapHours: number][]) => {
    const { apiKey } = await issueKey(tool, { teamId: team.id, userId: owner.id, name: 'key', scopes: ['catalog:read'] })
    for (const [by, overlapHours] of turns) await rotateKey(by ? as(by) : tool, { id: apiKey.id, overlapHours })
    return apiKey.id
  }
  const ids = [
    await rotated(),
    await rotated([ada, 0]),
    await rotated([ada, 0], [bob, 24]),
    await rotated([bob, 0], [ada, 0]),
    await rotated([ada, 0], [owner, 24]),
    await rotated([ada, 0], [undefined, 0]),
  ]
  const hook = await aSubscription(services, { team } as Parameters<typeof aSubscription>[1], 'http://127.0.0.1:9/hook')
  await rotateSecret(as(bob), { id: hook.subscription.id })
  await removeTeamMember(tool, { teamId: team.id, userId: bob.id })
  await upgrade()

  const { rows } = await services.pool.query(
    'select value_holder_id as present, previous_holder_id as before from api_keys where id = any($1) order by array_position($1, id)',
    [ids],
  )
  const nobody = { present: null, before: null }
  expect(rows).toEqual([
    nobody,
    { present: ada.id, before: null },
    { present: null, before: ada.id },
    { present: ada.id, before: null },
    { present: null, before: ada.id },
    nobody,
  ])
  const { rows: hooks } = await services.pool.query('select secret_holder_id as holder from webhook_subscriptions where id = $1', [
    hook.subscription.id,
  ])
  expect(hooks).toEqual([{ holder: bob.id }])
})
