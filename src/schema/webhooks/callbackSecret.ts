import { createContextCache } from '@pothos/core'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { type CallbackSecretRecord, callbackSecretRotation } from '../../contract/shapes/callback.ts'
import { momentOf } from '../../contract/shapes/credits.ts'
import type { Context } from '../../domain/context.ts'
import { callbackSecretOf, rotateCallbackSecret } from '../../domain/webhooks/callbacks/callbackSecret.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { managedTeamId } from '../core/managedTeamId.ts'
import { allow } from '../core/scopes.ts'
import { inputTypeOf } from '../core/shapeFields.ts'
import { TeamType } from '../teams/team.ts'

/** The secrets of a request by team, so that two fields read one once. A rotation clears the secret of its team. */
const secrets = createContextCache(({ context }: SchemaContext) => {
  const found = new Map<string, ReturnType<typeof callbackSecretOf>>()
  return {
    read(teamId: string) {
      requireMayRead(context)
      const secret = found.get(teamId) ?? callbackSecretOf(context, teamId)
      found.set(teamId, secret)
      return secret
    },
    clear: (teamId: string) => void found.delete(teamId),
  }
})

/** A tool that may change nothing must not be able to sign. */
function requireMayRead({ actor }: Context): void {
  if (actor.kind !== 'service' || !actor.token?.readOnly) return
  throw new Refusal('access_denied', { cause: 'role' }, { message: 'A token that may only read does not see signing secrets.' })
}

builder.objectFields(TeamType, (t) => ({
  callbackSecret: t.string({
    description: 'The secret that signs the callbacks of starts. It can be read again.',
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: async ({ id }, _args, request) => (await secrets(request).read(id)).secret,
  }),
  callbackSecretOverlapEndsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Until then callbacks are also signed with the previous secret.',
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: async ({ id }, _args, request) => (await secrets(request).read(id)).overlapEndsAt,
  }),
}))

const CallbackSecretType = builder.objectRef<CallbackSecretRecord>('CallbackSecret')

builder.objectType(CallbackSecretType, {
  description: 'The secret that signs the callbacks of starts.',
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', description: 'The response of GET /callback-secret.', resolve: (record) => record }) }),
})

async function readRecord(request: SchemaContext, teamId: string): Promise<CallbackSecretRecord> {
  const { secret, overlapEndsAt } = await secrets(request).read(teamId)
  return { signingSecret: secret, secretOverlapEndsAt: momentOf(overlapEndsAt) }
}

builder.queryField('callbackSecret', (t) =>
  t.field({
    type: CallbackSecretType,
    description: 'The secret of the callbacks of the named team, or of the team of the key.',
    args: { teamId: t.arg.id() },
    authScopes: (_root, { teamId }, { context }) => allow('webhooks.manage', managedTeamId(context, teamId)),
    resolve: (_root, { teamId }, request) => readRecord(request, managedTeamId(request.context, teamId)),
  }),
)

const RotateInput = inputTypeOf('RotateCallbackSecretInput', callbackSecretRotation, { fields: { teamId: { type: 'ID' } } })

const RotatePayload = builder.objectRef<{ teamId: string; signingSecret: string }>('RotateCallbackSecretPayload').implement({
  authScopes: { caller: true },
  fields: (t) => ({
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    signingSecret: t.exposeString('signingSecret', { description: 'The new secret.' }),
    json: t.field({
      type: 'JSON',
      description: 'The response of REST.',
      resolve: ({ teamId }, _args, request) => readRecord(request, teamId),
    }),
  }),
})

builder.mutationField('rotateCallbackSecret', (t) =>
  t.field({
    type: RotatePayload,
    description: 'Replaces the secret of the callbacks of a team. With an overlap, both secrets sign for that time.',
    args: { input: t.arg({ type: RotateInput, required: true }) },
    authScopes: (_root, { input }) => allow('webhooks.manage', input.teamId),
    resolve: async (_root, { input }, request) => {
      const signingSecret = await rotateCallbackSecret(request.context, input)
      secrets(request).clear(input.teamId)
      return { teamId: input.teamId, signingSecret }
    },
  }),
)
