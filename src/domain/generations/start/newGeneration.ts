import { newId } from '../../../contract/ids.ts'
import { callerFieldsOf } from '../../../contract/shapes/callerFields.ts'
import type { GenerationRequest } from '../../../contract/shapes/generationRequest.ts'
import { columnName } from '../../../database/pool/columnsOf.ts'
import { Generation, generationDefaults } from '../../../entities/Generation.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import type { Plan } from './planGeneration.ts'
import { inputsOf } from './requestedInputs.ts'

/** The row of a new generation. */
export function newGeneration(context: Context, spender: Spender, request: GenerationRequest, plan: Plan): Generation {
  return {
    ...generationDefaults(),
    id: newId('gen'),
    ownerId: spender.ownerId,
    accountId: spender.accountId,
    userId: spender.userId,
    keyId: spender.keyId,
    source: spender.source,
    state: 'queued',
    familyId: plan.family.id,
    modelId: plan.variant.modelId,
    task: plan.task,
    outputType: plan.family.outputType,
    axes: { ...plan.variant.axes },
    prompt: plan.prompt,
    parameters: plan.parameters,
    inputs: inputsOf(request),
    ...callerFieldsOf(request),
    price: plan.quote.total,
    createdAt: context.clock.now(),
  }
}

const columns = Object.keys(Generation.meta.properties).map((name) => [name as keyof Generation, columnName(name)] as const)

/** A row by column names for `start_generations`. Nulls are omitted; the function inserts null for absent columns. */
export function insertColumns(row: Generation): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [property, column] of columns) if (row[property] !== null) values[column] = row[property]
  return values
}
