import { type Failure, parseFailure } from '../../contract/failures/failures.ts'
import type { Json } from '../../contract/json.ts'
import type { JobSpec } from '../provider.ts'
import { modelLimits } from './modelLimits.ts'

/** The outcome that the caller requested: how long the work takes, and how it ends. */
export type SimulatedOutcome = { runSeconds: number; failure: Failure | undefined }

/** Reads `runSeconds` (0 to 120) and `outcome` (`success` or `class/reason`). Any other value counts as the default. */
export function simulatedOutcome(spec: JobSpec): SimulatedOutcome {
  return { runSeconds: runSeconds(spec.parameters['runSeconds']), failure: requestedFailure(spec) }
}

function runSeconds(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(120, Math.max(0, value)) : 0
}

function requestedFailure(spec: JobSpec): Failure | undefined {
  const outcome = spec.parameters['outcome']
  const failure = typeof outcome === 'string' ? parseFailure(outcome) : undefined
  if (!failure) return undefined
  const details = plausibleDetails(failure, spec)
  return details ? { ...failure, details } : failure
}

/** Example details for reasons with details in the contract, so that clients can be tested. They match the limits of the model. */
function plausibleDetails(failure: Failure, spec: JobSpec): Record<string, number> | undefined {
  const limits = modelLimits(spec)
  const { minBytes = 1024, maxBytes } = limits.media[spec.inputs[0]?.field ?? 'imageIds']
  switch (failure.reason) {
    case 'prompt_too_long': {
      const maxLength = limits.promptCharactersMax
      return { maxLength, actualLength: maxLength + Math.max(1, [...(spec.prompt ?? '')].length) }
    }
    case 'file_too_large':
      return { maxBytes, actualBytes: maxBytes * 2 }
    case 'file_too_small':
      return { minBytes, maxBytes, actualBytes: Math.floor(minBytes / 2) }
    default:
      return undefined
  }
}
