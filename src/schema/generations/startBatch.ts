import { limits } from '../../contract/limits.ts'
import { parseOrRefuse } from '../../contract/refusals/issues.ts'
import { batchRequest, type StartedBatch } from '../../contract/shapes/batch.ts'
import { startBatch } from '../../domain/generations/start/startBatch.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { resolveStartSpender } from '../core/resolveTeamSpender.ts'
import { allow } from '../core/scopes.ts'
import { idempotencyKeyArgument } from './startGeneration.ts'

const StartedBatchType = builder.objectRef<StartedBatch>('StartBatchPayload')

builder.objectType(StartedBatchType, {
  authScopes: { caller: true },
  fields: (t) => ({
    json: t.field({
      type: 'JSON',
      // The items come from one request body.
      ...maxFieldBytes(longest.body + limits.batchItems * longest.smallJson),
      description: 'The response of POST /generations/batch.',
      resolve: (batch) => batch,
    }),
  }),
})

builder.mutationField('startBatch', (t) =>
  t.field({
    type: StartedBatchType,
    description: 'Starts up to 50 generations, each as its own start would.',
    args: {
      // A null is refused in its place, like any other faulty item.
      items: t.arg({ type: ['JSON'], required: { list: true, items: false }, description: 'The bodies of the starts.' }),
      maxCredits: t.arg.float({ description: 'The most credits that the started items may cost together.' }),
      idempotencyKey: t.arg.string(idempotencyKeyArgument),
      teamId: t.arg.id({ description: 'The team that pays, for people and internal tools.' }),
    },
    authScopes: (_root, { teamId }) => allow('generations.start', teamId),
    resolve: async (_root, { items, maxCredits, idempotencyKey, teamId }, { context }) => {
      const batch = parseOrRefuse(batchRequest, { items, maxCredits: maxCredits ?? undefined }, 'body')
      const asked = { ...batch, idempotencyKey: idempotencyKey ?? undefined }
      return { items: await startBatch(context, await resolveStartSpender(context, teamId), asked) }
    },
  }),
)
