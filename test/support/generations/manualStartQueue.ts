import { failAllOpenWork } from '../../../src/domain/generations/ending/failAllOpenWork.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { aServiceContext, type TeamWithKey } from '../factories.ts'
import type { TestServices } from '../services.ts'

/** Start queues under manual control: jobs are taken in the order of the queue, and nothing runs by itself. */
export function manualStartQueue({ services }: TestServices, familyId: string) {
  const context = aServiceContext(services)
  const request = { familyId, prompt: 'a boat' }

  async function start({ context: of, spender }: TeamWithKey): Promise<string> {
    return (await startGeneration(of, spender, { request })).generation.generationId
  }

  /** Takes the first due job, like the runner. */
  async function nextJob(): Promise<string | undefined> {
    const { rows } = await services.pool.query<{ id: string }>(
      `select payload->>'generationId' as id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'submitGeneration' and is_available and run_at <= now() order by priority, run_at limit 1`,
    )
    return rows[0]?.id
  }

  const taken = (id: string, inContext = context) =>
    claimGeneration(inContext, id, { task: 'submitGeneration', providerId: 'vendor', deadlineSeconds: 120 })

  const lock = (id = '') =>
    services.pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where key = $1`, [
      `generation:${id}`,
    ])
  const dropJobs = (ids: string[]) =>
    services.pool.query(`delete from graphile_worker._private_jobs where key = any ($1)`, [ids.map((id) => `generation:${id}`)])

  /** Takes the next job and returns its generation. */
  async function take(): Promise<string> {
    const id = await nextJob()
    if (id === undefined) throw new Error('nothing is queued')
    await lock(id)
    await taken(id)
    await dropJobs([id])
    return id
  }

  async function countOf(of: string): Promise<number | undefined> {
    return (await services.pool.query<{ count: number }>(`select count(*)::integer as count from ${of}`)).rows[0]?.count
  }

  return {
    context,
    start,
    nextJob,
    taken,
    take,
    lock,
    dropJobs,
    countOf,
    /** Sequentially, in the order of their starts. */
    async startMany(team: TeamWithKey, count: number): Promise<string[]> {
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push(await start(team))
      return ids
    },
    async takeMany(count: number): Promise<string[]> {
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push(await take())
      return ids
    },
    submitsQueued: () => countOf(`graphile_worker.jobs where task_identifier = 'submitGeneration'`),
    parked: () => countOf('waiting_starts where rank is null'),
    async clear(): Promise<void> {
      await failAllOpenWork(context)
      await services.pool.query('delete from waiting_starts; delete from graphile_worker._private_jobs; delete from owner_turns')
    },
  }
}
