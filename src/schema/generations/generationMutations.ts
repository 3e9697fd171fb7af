import { type CancelledGeneration, cancelledGeneration } from '../../contract/shapes/startedGeneration.ts'
import { cancelGeneration } from '../../domain/generations/ending/cancelGeneration.ts'
import { deleteResult } from '../../domain/generations/results/deleteResult.ts'
import { builder } from '../core/builder.ts'
import { resolveGenerationSpender } from '../core/resolveTeamSpender.ts'
import { outputFields } from '../core/shapeFields.ts'
import { GenerationStateEnum, GenerationType } from './generation.ts'
import { cancelScopes, generationScopes } from './generationOrigin.ts'

const CancelledType = builder.objectRef<CancelledGeneration>('CancelGenerationPayload')

builder.objectType(CancelledType, {
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, cancelledGeneration, { generationId: { type: 'ID' }, state: { type: GenerationStateEnum } }),
    json: t.field({ type: 'JSON', description: 'The response of POST /generations/{id}/cancel.', resolve: (cancelled) => cancelled }),
  }),
})

builder.mutationField('cancelGeneration', (t) =>
  t.field({
    type: CancelledType,
    description: 'Cancels a generation. Before the work begins, the whole hold is returned; work that has begun is charged.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => cancelScopes(request, id),
    resolve: async (_root, { id }, { context }) => cancelGeneration(context, await resolveGenerationSpender(context, id), id),
  }),
)

builder.mutationField('deleteResult', (t) =>
  t.field({
    type: GenerationType,
    description: 'Deletes the result of a generation; the generation stays, and every link to the result stops working. A repeat succeeds.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => generationScopes(request, 'generations.end', id),
    resolve: async (_root, { id }, { context }) => await deleteResult(context, await resolveGenerationSpender(context, id), id),
  }),
)
