import { onTestFinished } from 'vitest'
import type { PublicGeneration } from '../../../src/contract/shapes/generation.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { findGeneration } from '../../../src/domain/generations/reading/readGeneration.ts'
import type { Tasks } from '../../../src/domain/queue.ts'
import { removeOrphans } from '../../../src/jobs/maintenance/removeObject.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { cancelAtProvider } from '../../../src/jobs/steps/cancelAtProvider.ts'
import { finaliseGeneration } from '../../../src/jobs/steps/finaliseGeneration.ts'
import { pollGeneration } from '../../../src/jobs/steps/pollGeneration.ts'
import { stepJob } from '../../../src/jobs/steps/stepJob.ts'
import { submitGeneration } from '../../../src/jobs/steps/submitGeneration.ts'
import type { Inspector } from '../../../src/media/inspector.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { aJobContext } from '../generations/jobContext.ts'
import type { Lab } from './lab.ts'
import type { Behaviour, FakeVendor } from './vendorUnderTest.ts'

const steps = { submitGeneration, pollGeneration, finaliseGeneration }
const handlers = {
  submitGeneration: stepJob('submitGeneration', steps),
  pollGeneration: stepJob('pollGeneration', steps),
  finaliseGeneration: stepJob('finaliseGeneration', steps),
  cancelAtProvider,
  removeOrphans,
}
type Task = keyof typeof handlers

/** A waiting job of the generation; `seconds` after it was queued. */
export type Job = { task: Task; payload: Tasks[Task]; seconds: number }

export type VendorCase = {
  fake: FakeVendor
  provider: Provider
  context: JobContext
  generationId: string
  /** The hold at its start. */
  price: number
  /** The public generation. */
  look(): Promise<PublicGeneration>
  /** Its deadline, after its first job has started. */
  deadlineAt(): Promise<Date>
  cancel(): Promise<{ status: number; cancelled: boolean; creditsCharged: number }>
  /** Takes the next job from the queue, and advances the clock to its time. */
  next(): Promise<Job | undefined>
  /** Runs a job like a worker. */
  run(job: Job, context?: JobContext): Promise<void>
  /** Runs the next job and returns it. */
  step(): Promise<Job | undefined>
  /** Runs jobs until the generation is in that state, or has ended. */
  until(state: PublicGeneration['state']): Promise<PublicGeneration>
  /** Runs jobs until there are none. */
  settle(): Promise<PublicGeneration>
}

export type CaseOptions = {
  behaviour: Behaviour
  medium?: OutputType
  /** Replaces the fake's valid key. */
  key?: string
  /** A lower limit of one output. */
  outputBytesMax?: number | undefined
  /** Results are inspected when it resolves. */
  inspects?: Promise<unknown>
  /** Wraps the provider for the runner. */
  between?: (provider: Provider, fake: FakeVendor) => Provider
}

/** One generation, started over REST, with its own fake of the vendor. The test runs its jobs manually; nothing runs by itself. */
export async function vendorCase(lab: Lab, options: CaseOptions): Promise<VendorCase> {
  const { behaviour, medium = firstMedium(lab), key, outputBytesMax, inspects, between } = options
  const fake = await lab.underTest.startFake()
  onTestFinished(() => fake.close())
  fake.behave(behaviour)
  const made = lab.providerAt(fake, { key, outputBytesMax })
  const provider = between ? between(made, fake) : made
  const usual = aJobContext(lab.app.services, { providers: [provider] })
  const inspect: Inspector['inspect'] = async (...asked) => {
    await inspects
    return usual.inspector.inspect(...asked)
  }
  const context = {
    ...usual,
    inspector: { ...usual.inspector, inspect },
    ...(outputBytesMax === undefined ? {} : { outputBytesMax }),
  }
  const sample = lab.underTest.requests[medium]
  if (!sample) throw new Error(`${made.id} makes no ${medium}`)
  const { body } = await lab.requestOf(sample)
  // Log lines and locks of earlier cases.
  lab.app.logged.length = 0
  await lab.app.services.breakers.reset(lab.app.services.breakers.breakersOfFamily(sample.familyId))
  const started = await lab.app.ask('POST /generations', { key: lab.team.value, body })
  if (started.status !== 201) throw new Error(`the generation was not started: ${started.text}`)
  const { generationId, creditsHeld: price } = started.body

  const look = async () =>
    (await lab.app.ask(`GET /generations/${generationId}`, { key: lab.team.value })).body as unknown as PublicGeneration
  const next = async () => {
    const job = await takeJob(lab, generationId)
    if (job && job.seconds > 0) await lab.app.clock.advance(job.seconds * 1000)
    return job
  }
  const run: VendorCase['run'] = (job, inContext = context) => handlers[job.task](inContext, job.payload)
  const step = async () => {
    const job = await next()
    if (job) await run(job)
    return job
  }
  return {
    fake,
    provider,
    context,
    generationId,
    price,
    look,
    async deadlineAt() {
      const deadlineAt = (await findGeneration(context, generationId))?.deadlineAt
      if (!deadlineAt) throw new Error('no job has begun yet')
      return deadlineAt
    },
    async cancel() {
      const { status, body: told } = await lab.app.ask(`POST /generations/${generationId}/cancel`, { key: lab.team.value })
      const { cancelled, creditsCharged } = told as unknown as { cancelled: boolean; creditsCharged: number }
      return { status, cancelled, creditsCharged }
    },
    next,
    run,
    step,
    async until(state) {
      let seen = await look()
      while (seen.state !== state && seen.finishedAt === null && (await step())) seen = await look()
      return seen
    },
    async settle() {
      for (let steps = 0; await step(); steps++) if (steps > 100) throw new Error('it does not come to an end')
      return look()
    },
  }
}

function firstMedium({ underTest }: Lab): OutputType {
  return Object.keys(underTest.requests)[0] as OutputType
}

async function takeJob({ app }: Lab, generationId: string): Promise<Job | undefined> {
  const { rows } = await app.services.pool.query<Job>(
    `with first as (
       select j.id, t.identifier as task, j.payload, extract(epoch from j.run_at - j.updated_at)::float as seconds
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where j.payload->>'generationId' = $1 order by j.run_at, j.id limit 1
     ), taken as (delete from graphile_worker._private_jobs where id = (select id from first))
     select task, payload, seconds from first`,
    [generationId],
  )
  return rows[0]
}
