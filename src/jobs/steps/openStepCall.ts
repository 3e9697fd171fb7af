import type { Json } from '../../contract/json.ts'
import { redactVendorFields } from '../../providers/connector/redactVendorText.ts'
import type { ProviderLog, ProviderMethod } from '../../providers/provider.ts'
import { openProviderCall, type ProviderCall, type StageOutput } from './openProviderCall.ts'
import { outputStager } from './outputStager.ts'
import type { Step } from './step.ts'

/**
 * Opens a call to the step's provider. The time limit of the method, the deadline and the signals in `abortOn` abort it.
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
    stage: trackingStager(step),
    attributes: { 'atelier.provider': provider.id, 'atelier.family': familyId, 'atelier.variant': variant.modelId },
  })
}

function redactedLog({ context, claim, provider }: Step): ProviderLog {
  const { id, prompt, parameters } = claim.generation
  const requestText = { prompt, parameters: parameters as Record<string, Json> }
  return {
    warn(fields, message) {
      // The log drops fields that are not on its list, so the fields are logged as one string.
      const vendorText = JSON.stringify(redactVendorFields(fields, requestText))
      context.log.warn({ generationId: id, provider: provider.id, said: vendorText }, message)
    },
  }
}

function trackingStager(step: Step): StageOutput {
  const stage = outputStager(step.context, step.claim.generation)
  return (...output) => {
    step.hasStagedOutput = true
    return stage(...output)
  }
}
