import type { Json } from '../../../contract/json.ts'
import { familyNotFound } from '../../../contract/refusals/familyNotFound.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import { type MediaField, mediaFields } from '../../../contract/shapes/media.ts'
import type { Task } from '../../../contract/shapes/tasks.ts'
import { availabilityForSpender } from '../../access/availability/availabilityFor.ts'
import type { Spender } from '../../access/spender.ts'
import { checkParameters } from '../../catalog/checkParameters.ts'
import type { Family, Variant } from '../../catalog/family.ts'
import { lockOf, lockRefusal } from '../../catalog/lockReason.ts'
import { priceOf, type Quote } from '../../catalog/priceOf.ts'
import { resolveVariant } from '../../catalog/resolveVariant.ts'
import { taskOf } from '../../catalog/taskOf.ts'
import type { Context } from '../../context.ts'
import { type FoundInput, findInputs, type NamedInput } from '../../files/findInputs.ts'
import { mediaCountsOf } from './requestedInputs.ts'

/** A resolved request, for an estimate or a start. */
export type Plan = {
  family: Family
  variant: Variant
  task: Task
  parameters: Record<string, Json>
  prompt: string | null
  inputs: FoundInput[]
  quote: Quote
}

/**
 * Resolves a request in the order of the contract: family, variant, parameters, inputs, price. Changes and holds nothing.
 * Refusals: family_not_found, subscription_required, family_unavailable, access_denied, invalid_parameters, variant_not_resolved,
 * file_not_found, file_not_ready, file_metadata_missing, price_unavailable. Contract: docs/contract.md#order-of-checks.
 */
export async function planGeneration(context: Context, spender: Spender, request: GenerationRequest): Promise<Plan> {
  const family = context.catalog.families.get(request.familyId)
  if (!family) throw familyNotFound(request.familyId, context.catalog.families.keys())
  const availability = await availabilityForSpender(context, spender)
  const lock = lockOf(family, availability)
  if (lock) throw lockRefusal(lock, family.id, availability.lockedSeconds?.(family.id))
  const prompt = request.prompt === undefined || request.prompt === '' ? null : request.prompt
  const media = mediaCountsOf(request)
  const variant = resolveVariant(family, { axes: request.axes, modelId: request.modelId, hasPrompt: prompt !== null, media })
  const parameters = checkParameters(family, variant, request.parameters ?? {})
  const inputs = await findInputs(context, spender.ownerId, namedInputs(request))
  const quote = priceOf(variant, { parameters, prompt, inputs })
  return { family, variant, task: taskOf(variant, media), parameters, prompt, inputs, quote }
}

function namedInputs(request: GenerationRequest): NamedInput[] {
  return mediaFields.flatMap((field) => idsOf(request, field).map((id) => ({ id, field })))
}

function idsOf(request: GenerationRequest, field: MediaField): string[] {
  const named = request[field]
  if (named === undefined) return []
  return typeof named === 'string' ? [named] : named
}
