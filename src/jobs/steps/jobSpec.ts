import type { Json } from '../../contract/json.ts'
import { checkParameters } from '../../domain/catalog/checkParameters.ts'
import type { Variant } from '../../domain/catalog/family.ts'
import type { Context } from '../../domain/context.ts'
import { type FoundInput, findInputs } from '../../domain/files/findInputs.ts'
import { inputLink } from '../../domain/generations/links/inputLink.ts'
import { namedInputsOf } from '../../domain/generations/start/requestedInputs.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobSpec, Provider, ProviderInput } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'

export type Runner = { variant: Variant; provider: Provider }

/** The variant of a generation and its provider. `undefined` when the catalog of this process does not have the variant. */
export function runnerOf({ catalog, providers }: JobContext, generation: Generation): Runner | undefined {
  const family = catalog.families.get(generation.familyId)
  const variant = family?.variants.find((each) => each.modelId === (generation.fallbackModelId ?? generation.modelId))
  const provider = variant && providers.get(variant.provider.id)
  return variant && provider ? { variant, provider } : undefined
}

/**
 * The work of this attempt for the provider.
 * Refusals: those of findInputs, when an input is gone.
 */
export async function jobSpecOf(context: Context, claim: Pick<Claim, 'generation' | 'idempotencyKey'>, variant: Variant): Promise<JobSpec> {
  const { generation, idempotencyKey } = claim
  const inputs = await findInputs(context, generation.ownerId, namedInputsOf(generation.inputs))
  return {
    idempotencyKey,
    familyId: generation.familyId,
    task: generation.task ?? '',
    outputType: generation.outputType as JobSpec['outputType'],
    axes: generation.axes,
    prompt: generation.prompt,
    parameters: parametersOf(context, generation, variant),
    inputs: inputs.map((input, index) => providerInput(context, generation, { input, index })),
    limits: variant.inputs,
    settings: variant.provider.settings,
    ...(generation.deadlineAt ? { deadlineAt: generation.deadlineAt } : {}),
  }
}

/** A fallback may have more parameters than the requested variant. Refusals: invalid_parameters, if its catalog file has changed. */
function parametersOf({ catalog }: Context, generation: Generation, variant: Variant): Record<string, Json> {
  const family = generation.fallbackModelId === null ? undefined : catalog.families.get(generation.familyId)
  return family ? checkParameters(family, variant, generation.parameters) : (generation.parameters as Record<string, Json>)
}

type IndexedInput = { input: FoundInput; index: number }

function providerInput(context: Context, generation: Generation, { input, index }: IndexedInput): ProviderInput {
  const { field, mimeType, sizeBytes, width, height, durationSeconds } = input
  return {
    field: field === 'videoId' ? 'videoIds' : field,
    mimeType,
    sizeBytes,
    width,
    height,
    durationSeconds,
    open: () => context.storage.open(input.storageKey),
    link: () => inputLink(context, { generationId: generation.id, attempt: generation.attempt, index }),
  }
}
