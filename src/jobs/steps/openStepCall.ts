import type { Json } from '../../contract/json.ts'
import { redactVendorFields } from '../../providers/connector/redactVendorText.ts'
import type { ProviderLog, ProviderMethod } from '../../providers/provider.ts'
import { openProviderCall, type ProviderCall, type StageOutput } from './openProviderCall.ts'
import { outputStager } from './outputStager.ts'
import type { Step } from './step.ts'

/**
 * Opens a call of the step's provider, limited by the time for this method and by the deadline. Signals of `abortOn` end it early.
 * `collect` ignores the deadline: the vendor has already made the result.
 */
export function openStepCall(step: Step, method: ProviderMethod, abortOn: AbortSignal[]): ProviderCall {
  const { context, provider, variant, claim } = step
  const { familyId, deadlineAt } = claim.generation
  return openProviderCall(provider, method, {
    clock: context.clock,
    metrics: context.metrics,
    deadlineAt: method === 'collect' ? null : deadlineAt,
    abortOn,
    log: redactedLog(step),
    stage: stagerOf(step),
    attributes: { 'atelier.provider': provider.id, 'atelier.family': familyId, 'atelier.variant': variant.modelId },
  })
}

function redactedLog({ context, claim, provider }: Step): ProviderLog {
  const { id, prompt, parameters } = claim.generation
  const written = { prompt, parameters: parameters as Record<string, Json> }
  return {
    warn(fields, message) {
      // One text, since the log drops fields with names that it does not have on its list.
      const said = JSON.stringify(redactVendorFields(fields, written))
      context.log.warn({ generationId: id, provider: provider.id, said }, message)
    },
  }
}

function stagerOf(step: Step): StageOutput {
  const stage = outputStager(step.context, step.claim.generation)
  return (...output) => {
    step.hasStagedOutput = true
    return stage(...output)
  }
}
