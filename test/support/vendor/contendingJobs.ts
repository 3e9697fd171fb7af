import { type Context, contextFor } from '../../../src/domain/context.ts'
import { endGeneration } from '../../../src/domain/generations/ending/endGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { type Claim, claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { type IntentVerdict, recordIntent } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { aTeamWithKey } from '../factories.ts'
import type { TestServices } from '../services.ts'

const provider = { id: 'vendor' }

/** Contending work for one vendor under manual control: performs the steps of the jobs without running jobs. */
export async function contendingJobs({ services }: TestServices) {
  const context = contextFor(services, { kind: 'system' })
  const made = await aTeamWithKey(services)

  async function start(familyId = 'vendor-image', team = made): Promise<string> {
    const { generation } = await startGeneration(team.context, team.spender, { request: { familyId, prompt: 'a boat' } })
    return generation.generationId
  }

  /** Like the submit job, up to the permission to submit. */
  async function ask(id: string, at: Context = context): Promise<IntentVerdict> {
    return recordIntent(at, await claim(id, at), provider)
  }

  async function claim(id: string, at: Context = context): Promise<Claim> {
    const claimed = await claimGeneration(at, id, { task: 'submitGeneration', providerId: provider.id, deadlineSeconds: 120 })
    if (!claimed) throw new Error('there is nothing to submit')
    return claimed
  }

  return {
    context,
    made,
    start,
    ask,
    claim,
    fail: (id: string) => endGeneration(context, id, { by: 'job', to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } }),
    /** The slot holders, oldest first. */
    async holders(): Promise<string[]> {
      const { rows } = await services.pool.query('select generation_id from vendor_slots where released_at is null order by generation_id')
      return rows.map(({ generation_id: id }) => id)
    },
    async inLine(): Promise<string[]> {
      const { rows } = await services.pool.query('select generation_id from waiting_submits order by generation_id')
      return rows.map(({ generation_id: id }) => id)
    },
    /** The jobs that grant slots, by key, with the seconds until they run. */
    async looks(): Promise<Record<string, number>> {
      const { rows } = await services.pool.query(
        `select key, round(extract(epoch from run_at - now()))::integer as seconds from graphile_worker.jobs
           where task_identifier = 'handSlotsOn'`,
      )
      return Object.fromEntries(rows.map(({ key, seconds }) => [key, seconds]))
    },
    async isQueued(id: string): Promise<boolean> {
      const { rows } = await services.pool.query(
        `select exists (select from graphile_worker.jobs where key = 'generation:' || $1::text and run_at <= now()) as queued`,
        [id],
      )
      return rows[0].queued
    },
  }
}
