import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { transaction } from '../../../../src/domain/context.ts'
import { recordEvent } from '../../../../src/domain/webhooks/deliveries/recordEvent.ts'
import type { Generation } from '../../../../src/entities/Generation.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close, databaseUrl } = await testServices({ settings: loopback })
afterAll(close)
const context = aServiceContext(services)

async function oldSubscriptions(team: TeamWithKey, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await aSubscription(services, team, 'http://127.0.0.1:9/hook')).subscription.id)
  return ids.toSorted()
}

/** A transaction of another session, which stays open. */
async function otherSession(): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  return client
}

const lock = 'select from webhook_subscriptions where id = any($1) order by id for no key update'

const oneWaitsForALock = async () => {
  const waiting = "select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(async () => (await services.pool.query(waiting)).rows[0].count).toBe(1)
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
  )

test('a deletion of a team locks its subscriptions in the order of the end of a generation', async () => {
  const team = await aTeamWithKey(services)
  const [first = '', ...rest] = await oldSubscriptions(team, 5)
  // Its row is now the last of the table.
  await services.pool.query('update webhook_subscriptions set last_event_number = 1 where id = $1', [first])
  const { rows } = await services.pool.query('select name from teams where id = $1', [team.team.id])
  const end = await otherSession()
  await end.query(lock, [[first]])
  const deletion = outcomeOf(deleteTeam(context, { teamId: team.team.id, name: rows[0].name }))
  await oneWaitsForALock()
  expect(await outcomeOf(end.query(lock, [rest]))).toBe('done')
  await end.query('commit')
  expect(await deletion).toBe('done')
})

test('the end of a generation locks subscriptions before it deletes a callback that does not want the event', async () => {
  const team = await aTeamWithKey(services)
  const ids = await oldSubscriptions(team, 1)
  const ended = { id: 'gen_ended', ownerId: team.team.id, keyId: null, state: 'ready', finishedAt: new Date(), source: 'rest' }
  await services.pool.query(
    `insert into callbacks (generation_id, team_id, subscription_id, url, events, created_at)
       values ($1, $2, $3, 'http://127.0.0.1:9/hook', '{generation.failed}', present())`,
    [ended.id, team.team.id, ids[0]],
  )
  const deletion = await otherSession()
  await deletion.query(lock, [ids])
  const present = () => ({ generationId: ended.id }) as never
  const end = outcomeOf(transaction(context, (inside) => recordEvent(inside, ended as unknown as Generation, present)))
  await oneWaitsForALock()
  const dropped = await deletion.query('delete from callbacks where team_id = $1 and delivery_id is null', [team.team.id])
  expect(dropped.rowCount).toBe(1)
  await deletion.query('commit')
  expect(await end).toBe('done')
})
