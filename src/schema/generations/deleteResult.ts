import { deleteResult } from '../../domain/generations/results/deleteResult.ts'
import { builder } from '../core/builder.ts'
import { resolveGenerationSpender } from '../core/resolveTeamSpender.ts'
import { GenerationType } from './generation.ts'
import { generationScopes } from './generationOrigin.ts'

builder.mutationField('deleteResult', (t) =>
  t.field({
    type: GenerationType,
    description: 'Deletes the result of a generation; the generation stays, and every link to the result stops working. A repeat succeeds.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => generationScopes(request, 'generations.end', id),
    resolve: async (_root, { id }, { context }) => await deleteResult(context, await resolveGenerationSpender(context, id), id),
  }),
)
