import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { setTeamRetention } from '../../../../src/domain/access/teams/teamRetention.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { readGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { applyTeamRetention } from '../../../../src/domain/generations/retention/applyTeamRetention.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { endAtOnce } from '../../../support/generations/generationTransitions.ts'
import { aReady, aRetention, aStart, byRetention, imageAt, resultOf } from '../../../support/generations/retention.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const own = await testServices()
afterAll(own.close)
const { services, clock, logged } = own
const { pool } = services
const tool = aServiceContext(services)
const real = new Date()
beforeEach(() => clock.set(real))
const { inDays, keep, finishJobs, removals } = aRetention(own, real)

test('expired results are deleted once with their objects, also by concurrent processes; younger ones and those of other teams stay', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const old = await Promise.all(Array.from({ length: 7 }, (_, place) => aReady(team, `results/old-${place}`)))
  const failed = await anEnding(team, 'failed')
  const others = await aReady(other, 'results/other')
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: 7 })
  await keep()
  expect(await resultOf(team, old[0] ?? '')).toMatchObject({ storageKey: 'results/old-0' })
  await inDays(6)
  const young = await aReady(team, 'results/young')
  await inDays(8)
  await keep(3)
  await keep()
  for (const [place, id] of old.entries()) {
    expect(await resultOf(team, id)).toEqual(byRetention)
    expect(await removals(`results/old-${place}`)).toBe(1)
  }
  expect(await resultOf(team, young)).toMatchObject({ storageKey: 'results/young' })
  expect(await resultOf(other, others)).toMatchObject({ storageKey: 'results/other' })
  expect((await readGeneration(team.context, team.team.id, failed)).state).toBe('failed')
  expect(await checkBooks(tool)).toMatchObject({ clean: true })
})

test('a result of open work, or one that open work needs, is deleted after the end of that work', async () => {
  const team = await aTeamWithKey(services)
  const needed = await aReady(team, 'results/needed')
  const slow = await aStart(team)
  const next = await aReady(team, 'results/next')
  const user = newId('gen')
  await pool.query('insert into inputs_in_use (generation_id, input_id) values ($1, $2)', [user, needed])
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: 1 })
  await inDays(2)
  await keep()
  expect(await resultOf(team, next)).toEqual(byRetention)
  expect(await resultOf(team, needed)).toMatchObject({ storageKey: 'results/needed' })
  await endAtOnce(team.context, slow, { to: 'ready', result: imageAt('results/slow') })
  await pool.query('delete from inputs_in_use where generation_id = $1', [user])
  await keep()
  expect(await resultOf(team, needed)).toEqual(byRetention)
  expect(await resultOf(team, slow)).toMatchObject({ storageKey: 'results/slow' })
  await inDays(4)
  await keep()
  expect(await resultOf(team, slow)).toEqual(byRetention)
  const { rows } = await pool.query('select * from postponed_results where team_id = $1', [team.team.id])
  expect(rows).toEqual([])
})

test('a row that cannot be deleted blocks neither the next row nor another team', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const ids = [await aReady(team, 'results/broken'), await aReady(team, 'results/whole')]
  const others = await aReady(other, 'results/others')
  for (const { team: each } of [team, other]) await setTeamRetention(tool, { teamId: each.id, mediaDays: 1, historyDays: 20 })
  await pool.query(`create function break_one() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$`)
  await pool.query(
    `create trigger break_one before update on generations for each row when (old.id = '${ids[0]}') execute function break_one()`,
  )
  await inDays(2)
  await keep()
  expect(await resultOf(team, ids[0] ?? '')).toMatchObject({ storageKey: 'results/broken' })
  expect(await resultOf(team, ids[1] ?? '')).toEqual(byRetention)
  expect(await resultOf(other, others)).toEqual(byRetention)
  expect(logged.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toContainEqual({ teamId: team.team.id, results: 1 })
  await pool.query('drop trigger break_one on generations')
  await keep()
  expect(await resultOf(team, ids[0] ?? '')).toEqual(byRetention)
})

test('a team that was processed or postponed while the clock was a year ahead does not wait for a year', async () => {
  const team = await aTeamWithKey(services)
  const needed = await aReady(team, 'results/needed-ahead')
  const old = await aReady(team, 'results/old-ahead')
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: 1 })
  await pool.query(`insert into postponed_results (generation_id, team_id, tried_at) values ($1, $2, present() + interval '1 year')`, [
    needed,
    team.team.id,
  ])
  await pool.query(`update team_retention set served_at = present() + interval '1 year', results_to = $2 where team_id = $1`, [
    team.team.id,
    needed,
  ])
  await inDays(2)
  await applyTeamRetention(tool, new AbortController().signal)
  for (const id of [needed, old]) expect(await resultOf(team, id)).toEqual(byRetention)
})

test('a result with an identifier below the scan position, from a clock that was set back, is found within a day', async () => {
  const team = await aTeamWithKey(services)
  const missed = [await aReady(team, 'results/missed-0'), await aReady(team, 'results/missed-1')]
  const hide = (id = '') => pool.query(`update generations set result = result - 'storageKey' || '{"deletedAt": ""}' where id = $1`, [id])
  const show = (id = '', place = 0) =>
    pool.query('update generations set result = $2 where id = $1', [id, imageAt(`results/missed-${place}`)])
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: 1 })
  await inDays(2)
  await hide(missed[1])
  await pool.query('update team_retention set results_to = $2 where team_id = $1', [team.team.id, `${missed[1]}z`])
  await keep()
  expect(await resultOf(team, missed[0] ?? '')).toEqual(byRetention)
  await show(missed[1], 1)
  await keep()
  expect(await resultOf(team, missed[1] ?? '')).toMatchObject({ storageKey: 'results/missed-1' })
  await inDays(3.1)
  await keep()
  expect(await resultOf(team, missed[1] ?? '')).toEqual(byRetention)
})

test('many rows are deleted in batches, until the rule is removed or too many removals wait', async () => {
  const team = await aTeamWithKey(services)
  const first = await aReady(team, 'results/first')
  await pool.query(
    `insert into generations (id, owner_id, source, state, family_id, output_type, axes, parameters, inputs, price, credits_charged, fence, attempt, result, created_at, finished_at)
       select 'gen_' || substr($1, 5, 10) || lpad(number::text, 16, '0'), owner_id, 'editor', state, family_id, output_type, axes, parameters, inputs, 0, 0, 0, 0,
           jsonb_build_object('text', number), created_at, finished_at
         from generations, generate_series(1, 1300) as number where id = $1`,
    [first],
  )
  const left = async () =>
    (await pool.query(`select count(*)::integer as count from generations where owner_id = $1 and result ? 'text'`, [team.team.id])).rows[0]
      .count
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: 1 })
  await setTeamRetention(tool, { teamId: team.team.id, mediaDays: null })
  await inDays(2)
  await keep()
  expect(await left()).toBe(1300)
  await setTeamRetention(tool, { teamId: team.team.id, historyDays: 1 })
  await pool.query(
    `select graphile_worker.add_jobs(array(select ('removeObject', '{}', null, null, 1, null, null, null)::graphile_worker.job_spec from generate_series(1, 10000)))`,
  )
  await keep()
  expect(await left()).toBe(1300)
  await finishJobs()
  await keep(2)
  expect(await left()).toBe(0)
})
