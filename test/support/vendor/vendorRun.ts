import { onTestFinished } from 'vitest'
import type { GenerationRequest } from '../../../src/contract/shapes/generationRequest.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { cancelGeneration } from '../../../src/domain/generations/ending/cancelGeneration.ts'
import { findGeneration } from '../../../src/domain/generations/reading/readGeneration.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import type { Tasks } from '../../../src/domain/queue.ts'
import { removeOrphans } from '../../../src/jobs/maintenance/removeObject.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { cancelAtProvider } from '../../../src/jobs/steps/cancelAtProvider.ts'
import { finaliseGeneration } from '../../../src/jobs/steps/finaliseGeneration.ts'
import { pollGeneration } from '../../../src/jobs/steps/pollGeneration.ts'
import { stepJob } from '../../../src/jobs/steps/stepJob.ts'
import { submitGeneration } from '../../../src/jobs/steps/submitGeneration.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { aTeamWithKey } from '../factories.ts'
import { aJobContext } from '../generations/jobContext.ts'
import { type TestServices, testServices } from '../services.ts'
import { vendorProvider } from './vendorProvider.ts'
import { startVendor, type VendorBehaviour } from './vendorServer.ts'

const catalogFolder = new URL('./catalog', import.meta.url).pathname

/** The services of one process with only the vendor's models. */
export function vendorServices(options: Parameters<typeof testServices>[0] = {}): Promise<TestServices> {
  return testServices({ catalogFolder, ...options })
}

const aBoat: GenerationRequest = { familyId: 'vendor-image', prompt: 'a boat' }
const steps = { submitGeneration, pollGeneration, finaliseGeneration }
const handlers = {
  submitGeneration: stepJob('submitGeneration', steps),
  pollGeneration: stepJob('pollGeneration', steps),
  finaliseGeneration: stepJob('finaliseGeneration', steps),
  cancelAtProvider,
  removeOrphans,
}
type Task = keyof typeof handlers

type Waiting = { task: string; seconds: number; payload: Tasks[Task] }

type RunOptions = {
  behaviour?: Partial<VendorBehaviour>
  provider?: Partial<Parameters<typeof vendorProvider>[1]>
  /** In addition to the vendor of the run. */
  others?: Provider[]
  request?: GenerationRequest
}

/**
 * A generation with a vendor, a price of 1.5 credits and a paying team. The test runs its jobs manually, one at a time.
 * Nothing runs by itself.
 */
export async function vendorRun({ services }: TestServices, { behaviour, provider, others = [], request = aBoat }: RunOptions = {}) {
  const vendor = await startVendor(behaviour)
  onTestFinished(() => vendor.close())
  const context: JobContext = aJobContext(services, {
    providers: [vendorProvider(vendor.url, { idempotentSubmit: true, reportsQueue: true, ...provider }), ...others],
  })
  const made = await aTeamWithKey(services, { credits: 10 })
  const { generation } = await startGeneration(made.context, made.spender, { request, idempotencyKey: undefined })
  const { generationId } = generation
  const look = async () => {
    const found = await findGeneration(context, generationId)
    if (!found) throw new Error('the generation is gone')
    return found
  }
  const run = (task: Task, inContext = context, more: Partial<Tasks[Task]> = {}) => handlers[task](inContext, { generationId, ...more })
  return {
    vendor,
    context,
    made,
    generationId,
    look,
    run,
    cancel: () => cancelGeneration(contextFor(services, made.actor), made.spender, generationId),
    /** Makes its job one that a worker runs. */
    async lockJob(): Promise<void> {
      await services.pool.query(`update graphile_worker._private_jobs set locked_by = 'pool', locked_at = now() where key = $1`, [
        `generation:${generationId}`,
      ])
    },
    /** Its waiting jobs, the next one first. */
    async waiting(): Promise<Waiting[]> {
      const { rows } = await services.pool.query(
        `select t.identifier as task, round(extract(epoch from j.run_at - now()))::integer as seconds, j.payload
           from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
           where j.payload->>'generationId' = $1 and j.locked_at is null order by j.run_at`,
        [generationId],
      )
      return rows
    },
    /** Runs until the vendor has finished it. */
    async untilMade(): Promise<void> {
      for (const task of ['submitGeneration', 'pollGeneration'] as const) await run(task)
      if ((await look()).state !== 'finalizing') throw new Error('the vendor has not made it')
    },
    vendorJob: () => [...vendor.jobs.values()][0],
  }
}
