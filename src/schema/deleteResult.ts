import { deleteResult } from '../domain/generations/deleteResult.ts'
import { builder } from './builder.ts'
import { GenerationType } from './generation.ts'
import { keepersOf } from './generationOrigin.ts'
import { spenderOfGeneration } from './spenderFor.ts'

builder.mutationField('deleteResult', (t) =>
  t.field({
    type: GenerationType,
    description: 'Deletes what a generation has made, as often as it is asked: the record stays, and every link to it is dead.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) =>
      request.context.actor.kind === 'person' ? keepersOf(request, id) : { service: true, key: 'generations:write' },
    resolve: async (_root, { id }, { context }) => await deleteResult(context, await spenderOfGeneration(context, id), id),
  }),
)
