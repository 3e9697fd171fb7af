import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { setTeamRetention } from '../../../../src/domain/access/teams/teamRetention.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { listLedger } from '../../../../src/domain/credits/listLedger.ts'
import { usageOf } from '../../../../src/domain/credits/usageOf.ts'
import { readGeneration } from '../../../../src/domain/generations/reading/readGeneration.ts'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { aReady, aRetention, aStart, byRetention, resultOf } from '../../../support/generations/retention.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const own = await testServices({ settings: loopback })
afterAll(own.close)
const { services, clock } = own
const { pool } = services
const tool = aServiceContext(services)
const real = new Date()
beforeEach(() => clock.set(real))
const { inDays, keep, finishJobs, removals } = aRetention(own, real)

const expectDeleted = (team: TeamWithKey, id: string) =>
  expect(readGeneration(team.context, team.team.id, id)).rejects.toMatchObject({ code: 'generation_not_found' })
const window = { limit: 50, fromTheEnd: false, after: undefined, before: undefined }
const day = 86_400_000

test('expired history is deleted everywhere, with prompts, objects and deliveries; ledger and usage do not change', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  const secret = 'a secret lighthouse'
  const ids = [await aReady(team, 'results/history', secret), await anEnding(team, 'failed'), await anEnding(team, 'cancelled')]
  await pool.query(
    `update webhook_deliveries set state = 'delivered', retries_left = null, next_attempt_at = null
    where id in (select id from webhook_deliveries where subscription_id = $1 order by id limit 2)`,
    [subscription.id],
  )
  const lines = () =>
    listLedger(tool, team.spender.accountId, window).then((all) =>
      all.map(({ kind, amount, generationId }) => ({ kind, amount, generationId })),
    )
  const span = { from: new Date(real.getTime() - day), to: new Date(real.getTime() + day) }
  const usage = () => usageOf(tool, team.spender, { ...span, by: 'family' })
  const [told, used] = [await lines(), await usage()]
  await setTeamRetention(tool, { teamId: team.team.id, historyDays: 10 })
  await inDays(11)
  const young = await anEnding(team, 'ready')
  await keep(2)
  // The removal job names the object, and the cleanup jobs name the row.
  expect(await resultOf(team, ids[0] ?? '')).toEqual(byRetention)
  expect(await removals('results/history')).toBe(1)
  await finishJobs()
  await keep(2)
  for (const id of ids) await expectDeleted(team, id)
  expect((await readGeneration(team.context, team.team.id, young)).state).toBe('ready')
  const { rows } = await pool.query(
    `select (select count(*)::integer from generation_attempts where generation_id = any($1)) as attempts,
       (select array_agg(state order by state) from webhook_deliveries where subscription_id = $2 and created_at < $3) as deliveries,
       (select count(*)::integer from generations where prompt = $4) as prompts`,
    [ids, subscription.id, new Date(real.getTime() + day), secret],
  )
  expect(rows).toEqual([{ attempts: 0, deliveries: ['pending'], prompts: 0 }])
  expect((await lines()).filter(({ generationId }) => generationId !== young)).toEqual(told)
  expect(await usage()).toEqual(used)
  expect(await checkBooks(tool)).toMatchObject({ clean: true, faults: [] })
})

test('open generations, inputs of open work and rows with cleanup jobs stay in the history; unended generations of the editor are deleted', async () => {
  const team = await aTeamWithKey(services)
  const running = await aStart(team)
  const needed = await aReady(team, 'results/in-use')
  const withCleanupJob = await anEnding(team, 'failed')
  const editor = await recordEditorGeneration(tool, {
    teamId: team.team.id,
    userId: team.user.id,
    familyId: 'writer',
    outputType: 'text',
    state: 'running',
    prompt: 'x',
  })
  const user = newId('gen')
  await pool.query('insert into inputs_in_use (generation_id, input_id) values ($1, $2)', [user, needed])
  await finishJobs()
  await pool.query(`select graphile_worker.add_job('removeOrphans', '{}', job_key => $1)`, [`late:${withCleanupJob}`])
  await setTeamRetention(tool, { teamId: team.team.id, historyDays: 1 })
  await inDays(2)
  await keep()
  expect((await readGeneration(team.context, team.team.id, running)).state).toBe('queued')
  expect(await resultOf(team, needed)).toMatchObject({ storageKey: 'results/in-use' })
  expect((await readGeneration(team.context, team.team.id, withCleanupJob)).state).toBe('failed')
  await expectDeleted(team, String(editor['generationId']))
  await finishJobs()
  await pool.query('delete from inputs_in_use where generation_id = $1', [user])
  await keep()
  await expectDeleted(team, withCleanupJob)
  await finishJobs()
  await keep()
  await expectDeleted(team, needed)
  expect(await checkBooks(tool)).toMatchObject({ clean: true })
})
