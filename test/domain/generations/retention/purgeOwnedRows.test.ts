import { afterAll, expect, test } from 'vitest'
import { deleteUser } from '../../../../src/domain/access/people/deleteUser.ts'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { purgeDeletedOwners } from '../../../../src/domain/generations/retention/purgeDeletedOwners.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, logged, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const { pool } = services

const isPurged = async (team: string) =>
  (await pool.query('select forgotten_at is not null as "isForgotten" from teams where id = $1', [team])).rows[0].isForgotten

test('a broken generation, file or delivery of a deleted team does not block the rest, and is purged later', async () => {
  const team = await aTeamWithKey(services)
  await aSubscription(services, team, 'http://127.0.0.1:9/broken')
  const ids = [await anEnding(team, 'ready'), await anEnding(team, 'failed'), await anEnding(team, 'ready')]
  await pool.query(`update generations set prompt = 'kept' where owner_id = $1`, [team.team.id])
  await pool.query(
    `insert into files (id, owner_id, user_id, state, type, mime_type, size_bytes, storage_key, sha256, created_at, expires_at)
       select 'file_' || number, $1, $2, 'ready', 'image', 'image/png', 1, 'files/file_' || number, '00', present(), present() + interval '9 days'
         from generate_series(1, 3) as number`,
    [team.team.id, team.user.id],
  )
  const left = async () => {
    const { rows } = await pool.query(
      `select (select array_agg(id order by id) from generations where owner_id = $1 and prompt is not null) as generations,
         (select array_agg(id order by id) from files where owner_id = $1) as files,
         (select count(d.id)::integer from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id where s.team_id = $1) as deliveries`,
      [team.team.id],
    )
    return rows[0]
  }
  const { rows } = await pool.query(
    'select min(d.id) as id from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id where s.team_id = $1',
    [team.team.id],
  )
  const broken = { generations: ids[1], files: 'file_2', webhook_deliveries: rows[0].id }
  await pool.query(`create function break_one() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$`)
  for (const [table, id] of Object.entries(broken))
    await pool.query(
      `create trigger break_one before update or delete on ${table} for each row when (old.id = '${id}') execute function break_one()`,
    )

  await deleteTeam(tool, { teamId: team.team.id, name: team.team.name })
  const warnings = () => logged.filter(({ message }) => message.startsWith('rows of a deleted owner')).length
  await purgeDeletedOwners(tool)
  expect(await left()).toEqual({ generations: [broken.generations], files: ['file_2'], deliveries: 1 })
  const firstWarnings = warnings()
  await purgeDeletedOwners(tool)
  expect([firstWarnings, warnings(), await isPurged(team.team.id)]).toEqual([3, 3, false])

  for (const table of Object.keys(broken)) await pool.query(`drop trigger break_one on ${table}`)
  await clock.advance(2 * 60_000)
  await purgeDeletedOwners(tool)
  expect(await isPurged(team.team.id)).toBe(true)
  expect(await left()).toEqual({ generations: null, files: null, deliveries: 0 })
  expect((await pool.query('select * from postponed_deletions')).rows).toEqual([])
})

test('the deletion of a person changes at most a thousand audit entries per statement', async () => {
  const person = await aUser(services)
  const entries = `insert into audit_entries (at, actor_kind, actor_id, subject_id, action, address, user_agent)
    select present() - number / 100 * interval '1 second', 'person', $1, $2, $3, '198.51.100.9', 'curl/8' from generate_series(1, 5000) as number`
  await pool.query(entries, [person.id, null, 'key.updated'])
  await pool.query(entries, [null, person.id, 'user.sign_in_refused'])
  await pool.query(
    `create function count_changes() returns trigger language plpgsql as $$ begin
       if (select count(*) from changed) > 1000 then raise exception 'too many at once'; end if; return null; end $$`,
  )
  await pool.query(
    'create trigger count_changes after update on audit_entries referencing new table as changed for each statement execute function count_changes()',
  )
  expect(await deleteUser(tool, person.id)).toBe(true)
  await purgeDeletedOwners(tool)
  const { rows } = await pool.query(
    `select count(*)::integer as entries, count(address)::integer as addresses, count(user_agent)::integer as agents
       from audit_entries where action in ('key.updated', 'user.sign_in_refused') and (actor_id = $1 or subject_id = $1)`,
    [person.id],
  )
  expect(rows).toEqual([{ entries: 10_000, addresses: 0, agents: 0 }])
})
