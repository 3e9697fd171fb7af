import { Refusal } from '../contract/refusals.ts'
import { recordOutputs, recordSubmitted } from '../domain/generations/claimGeneration.ts'
import type { JobSpec, Submitted } from '../providers/provider.ts'
import type { JobServices } from './jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { pauseSeconds, runStep, type Step } from './step.ts'
import { whileWanted } from './whileWanted.ts'

/** How often a provider that knows repeats is asked. */
const triesMax = 5

/**
 * queued → running: hands the work to the provider, once. The intent is written before the call and the handle after it; when a
 * process died between the two, the work is handed over again only to a provider that knows the repeat by its idempotency key.
 */
export async function submitGeneration(jobs: JobServices, { generationId }: { generationId: string }): Promise<void> {
  await runStep(jobs, generationId, { task: 'submitGeneration', from: ['queued', 'running'] }, async (step) => {
    const { context, claim, provider } = step
    if (claim.handle !== null) {
      await recordSubmitted(context, claim, claim.handle, 0)
      return
    }
    if (!claim.firstTouch && !provider.capabilities.idempotentSubmit) {
      await step.fail({ code: 'internal_error', reason: 'submit_unknown' })
      return
    }
    const spec = await readSpec(step)
    const submitted = spec && (await submit(step, spec))
    if (submitted) await record(step, submitted)
  })
}

async function readSpec(step: Step): Promise<JobSpec | undefined> {
  try {
    return await jobSpecOf(step.context, step.claim, step.variant)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'service_unavailable') throw error
    await step.fail({ code: 'parameter_validation', reason: 'input_rejected_by_model' })
    return undefined
  }
}

/** A throw means that it is not known whether the provider has the work. */
async function submit(step: Step, spec: JobSpec): Promise<Submitted | undefined> {
  const { context, claim, provider } = step
  // Not cut short by a shutdown: an answer that was under way would be lost, and with it the handle.
  const never = new AbortController().signal
  try {
    return await whileWanted(context, claim.generation.id, never, (signal) => provider.submit(spec, { signal, clock: context.clock }))
  } catch (error) {
    context.log.warn({ generationId: claim.generation.id, provider: provider.id, error: String(error) }, 'submit did not answer')
    if (!provider.capabilities.idempotentSubmit) await step.fail({ code: 'internal_error', reason: 'submit_unknown' })
    else if (claim.timesBegun >= triesMax) await step.fail({ code: 'provider_error', reason: 'provider_failed' })
    else await step.tryAgain(pauseSeconds(claim.timesBegun))
    return undefined
  }
}

async function record(step: Step, submitted: Submitted): Promise<void> {
  const { context, claim, provider } = step
  if (submitted.kind === 'failed') return step.fail(submitted.failure)
  if (submitted.kind === 'done') return void (await recordOutputs(context, claim, submitted.outputs))
  if (await recordSubmitted(context, claim, submitted.handle, submitted.pollAfterMs / 1000)) return
  // Cancelled while the provider took it in: nobody else knows this handle.
  await provider.cancel(submitted.handle, { signal: AbortSignal.timeout(10_000), clock: context.clock })
}
