import { newId } from '../../../contract/ids.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import type { Plan } from './planGeneration.ts'
import { inputsOf } from './requestedInputs.ts'

/** The generation that a request would become, as it stands when it has just been started. */
export function newGeneration(context: Context, spender: Spender, request: GenerationRequest, plan: Plan): Generation {
  return {
    id: newId('gen'),
    ownerId: spender.ownerId,
    accountId: spender.accountId,
    userId: spender.userId,
    keyId: spender.keyId,
    source: spender.source,
    state: 'queued',
    familyId: plan.family.id,
    modelId: plan.variant.modelId,
    fallbackModelId: null,
    task: plan.task,
    outputType: plan.family.outputType,
    axes: { ...plan.variant.axes },
    prompt: plan.prompt,
    parameters: plan.parameters,
    inputs: inputsOf(request),
    reference: request.reference ?? null,
    metadata: request.metadata ?? {},
    price: plan.quote.total,
    creditsCharged: null,
    fence: 0,
    attempt: 0,
    result: null,
    failure: null,
    progress: null,
    queuePosition: null,
    createdAt: context.clock.now(),
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
  }
}

/** The row under its column names, without those that every new one has alike. */
export function insertColumns(row: Generation) {
  return {
    id: row.id,
    owner_id: row.ownerId,
    account_id: row.accountId,
    user_id: row.userId,
    key_id: row.keyId,
    source: row.source,
    family_id: row.familyId,
    model_id: row.modelId,
    task: row.task,
    output_type: row.outputType,
    axes: row.axes,
    prompt: row.prompt,
    parameters: row.parameters,
    inputs: row.inputs,
    reference: row.reference,
    metadata: row.metadata,
    price: row.price,
    created_at: row.createdAt,
  }
}
