import type { Failure } from '../../../contract/failures/failures.ts'
import type { GenerationState } from '../../../entities/Generation.ts'
import { isUnavailable } from '../../accountMutex.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../queue.ts'
import { statement } from '../../sql.ts'
import { endGeneration } from '../ending/endGeneration.ts'
import { repairStartQueues } from '../start/startQueues.ts'
import type { StepTask } from '../transitions.ts'
import { queueSteps } from './queueStep.ts'

const pageSize = 500
const openPageSize = 1_000

/**
 * A job locked for longer counts as lost; the fence refuses its late writes. This is well above the ten minutes that the slowest vendors
 * have for an answer, since the vendor bills for a late answer too.
 */
const lockedMinutesMax = 15

type OpenWork = { id: string; familyId: string; attempt: number; task: StepTask; createdAt: string; isJobless: boolean }

/** Returns the last row of each page even if it has a job: the next page starts after it. */
const withoutJob = statement<OpenWork>(
  'find_generations_without_job',
  `select id, family_id, attempt, task, created_at::text as created_at, is_jobless from find_generations_without_job($1, $2, $3, $4, $5)`,
)

/** Work that has waited longer for a slot fails, which returns its hold. */
const waitHoursMax = 24

type ExpiredWait = { id: string; state: GenerationState; accountId: string | null }
const expiredWaits = statement<ExpiredWait>(
  'expired_waits',
  `select g.id, g.state, g.account_id from (
       (select generation_id, since from waiting_submits where since < present() - interval '${waitHoursMax} hours' order by since limit ${pageSize})
       union all
       (select generation_id, since from waiting_starts
          where since < present() - interval '${waitHoursMax} hours' and rank is null order by since limit ${pageSize})
     ) w join generations g on g.id = w.generation_id order by w.since`,
)
/** Slots are granted by catalog entry, so waiting work of a removed model would never get one. */
const dequeueUnknown = statement<{ generationId: string }>(
  'dequeue_unknown_submits',
  `delete from waiting_submits where generation_id in (
     select generation_id from waiting_submits
       where (provider, family_id) not in (select * from unnest($1::text[], $2::text[])) order by generation_id limit ${pageSize})
     returning generation_id`,
)
const waitingProviders = statement<{ provider: string }>('waiting_providers', 'select distinct provider from waiting_submits')

/** A younger generation may be between two steps. */
const settledSeconds = 30

/**
 * Repairs generations: queues a job for work without one, unless it waits for a slot, and fails work that has waited for a slot for a day,
 * without a charge. Work past its deadline is left to its job, which polls the provider once more, so that a result made while no worker
 * ran is fetched. Returns both numbers. Logs a generation that cannot be ended and continues with the others. Runs every minute.
 */
export async function reconcileGenerations(context: Context): Promise<{ failed: number; requeued: number }> {
  const failed = await failExpiredWaits(context)
  const known = [...context.catalog.families.values()].flatMap(({ id, variants }) => variants.map(({ provider }) => [provider.id, id]))
  await context.sql.all(dequeueUnknown, [known.map(([provider]) => provider), known.map(([, family]) => family)])
  for (const { provider } of await context.sql.all(waitingProviders, [])) await queueSlotGrant(context, provider)
  await repairStartQueues(context)
  return { failed, requeued: await requeueLostJobs(context) }
}

async function requeueLostJobs(context: Context): Promise<number> {
  let requeued = 0
  for (let after = ['-infinity', '']; ; ) {
    const page = await context.sql.all(withoutJob, [...after, settledSeconds, lockedMinutesMax, openPageSize])
    const lost = page.filter(({ isJobless }) => isJobless)
    await queueSteps(context, lost)
    requeued += lost.length
    const last = page.at(-1)
    if (!last) return requeued
    after = [last.createdAt, last.id]
  }
}

const noSlot: Failure = { code: 'model_unavailable', reason: 'model_at_capacity' }

/** The job that grants free slots may have been lost. */
async function queueSlotGrant(context: Context, providerId: string): Promise<void> {
  await enqueue(context, 'handSlotsOn', { providerId }, { key: `slots:${providerId}` })
}

async function failExpiredWaits(context: Context): Promise<number> {
  let failed = 0
  // Each further attempt to end work of a locked account would wait for its lock.
  const locked = new Set<string | null>()
  for (const each of await context.sql.all(expiredWaits, [])) {
    if (locked.has(each.accountId)) continue
    const outcome = await failExpiredWait(context, each)
    if (outcome === 'ended') failed += 1
    if (outcome === 'unavailable') locked.add(each.accountId)
  }
  return failed
}

async function failExpiredWait(context: Context, { id, state }: ExpiredWait): Promise<'ended' | 'skipped' | 'unavailable'> {
  const ending = { by: 'reconciler', to: 'failed', from: state, failure: noSlot, cleanup: ['work', 'objects'] } as const
  try {
    return (await endGeneration(context, id, ending)) ? 'ended' : 'skipped'
  } catch (error) {
    context.log.error({ generationId: id, error }, 'a generation that waited for a slot for a day could not be ended')
    return isUnavailable(error) ? 'unavailable' : 'skipped'
  }
}
