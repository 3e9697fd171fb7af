import { afterAll, expect, test } from 'vitest'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

/** The jobs of two parked starts of an owner, after `prepare` has run in the same transaction, which is then undone. */
async function jobsOfParked(prepare: string): Promise<object[]> {
  const client = await services.pool.connect()
  try {
    await client.query('begin')
    await client.query(`insert into waiting_starts (generation_id, family_id, owner_id, since) values
      ('gen_2', 'family', 'owner', now()), ('gen_1', 'family', 'owner', now() - interval '1 s'), ('gen_3', 'family', 'owner', now())`)
    await client.query(prepare)
    await client.query(`select queue_parked_starts('family', 'owner', '{3,7}')`)
    const { rows } = await client.query<object>(
      `select t.identifier as task, j.key, j.payload, j.priority, j.max_attempts, j.attempts, j.flags, j.run_at = now() as is_due, w.rank
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
           left join waiting_starts w on 'generation:' || w.generation_id = j.key
         order by j.key`,
    )
    return rows
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const job = { task: 'submitGeneration', max_attempts: 30_000, attempts: 0, flags: { 'new:family': true }, is_due: true }
const first = { ...job, key: 'generation:gen_1', payload: { generationId: 'gen_1' }, priority: 4, rank: 3 }
const second = { ...job, key: 'generation:gen_2', payload: { generationId: 'gen_2' }, priority: 8, rank: 7 }

test('the oldest parked starts get a job at the free ranks, also if no job of this task existed before', async () => {
  const isKnown = `insert into graphile_worker._private_tasks (identifier) values ('submitGeneration') on conflict do nothing`
  expect(await jobsOfParked(isKnown)).toEqual([first, second])
  expect(await jobsOfParked(`delete from graphile_worker._private_tasks where identifier = 'submitGeneration'`)).toEqual([first, second])
})

test('a parked start that has a job already is skipped', async () => {
  const third = { ...second, key: 'generation:gen_3', payload: { generationId: 'gen_3' } }
  const jobs = await jobsOfParked(`select graphile_worker.add_job('pollGeneration', job_key => 'generation:gen_2')`)
  expect(jobs).toMatchObject([first, { task: 'pollGeneration', key: 'generation:gen_2', rank: null }, third])
})
