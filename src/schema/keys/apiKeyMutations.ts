import { keyChange, keyRotation, type NewKey, newKey } from '../../contract/shapes/keyInputs.ts'
import { isAgentOnlyKey, issueKey } from '../../domain/access/keys/issueKey.ts'
import { revokeKey } from '../../domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../domain/access/keys/rotateKey.ts'
import { updateKey } from '../../domain/access/keys/updateKey.ts'
import type { Context } from '../../domain/context.ts'
import type { ApiKey } from '../../entities/ApiKey.ts'
import { builder } from '../core/builder.ts'
import { allow } from '../core/scopes.ts'
import { inputTypeOf } from '../core/shapeFields.ts'
import { ApiKeyType, keyManagerScopesById, ScopeEnum } from './apiKey.ts'
import { keyDocuments } from './keyDocument.ts'

/** The scopes to issue a key: for a team by what the key opens; without a team, for the issuer only. */
function keyIssuerScopes(context: Context, { teamId, userId, scopes }: Pick<NewKey, 'teamId' | 'userId' | 'scopes'>) {
  const self = context.actor.kind === 'person' ? context.actor.userId : ''
  if (typeof teamId !== 'string') return allow('agentKeys.issue', userId ?? self)
  return allow(isAgentOnlyKey(scopes) ? 'agentKeys.issue' : 'keys.issue', teamId)
}

const IssuedApiKey = keyValuePayload('IssueApiKeyPayload')
const RotatedApiKey = keyValuePayload('RotateApiKeyPayload')

function keyValuePayload(name: string) {
  return builder.objectRef<{ apiKey: ApiKey; value: string }>(name).implement({
    authScopes: { caller: true },
    fields: (t) => ({
      apiKey: t.expose('apiKey', { type: ApiKeyType }),
      value: t.exposeString('value', { description: 'The text of the key. It is shown only here.' }),
      json: t.field({
        type: 'JSON',
        description: 'The response of REST.',
        resolve: async ({ apiKey, value }, _args, { context }) => ({ apiKey: (await keyDocuments(context, [apiKey]))[0], value }),
      }),
    }),
  })
}

const IssueApiKeyInput = inputTypeOf('IssueApiKeyInput', newKey, {
  fields: { teamId: { type: 'ID' }, userId: { type: 'ID' }, scopes: { type: [ScopeEnum] } },
})
const UpdateApiKeyInput = inputTypeOf('UpdateApiKeyInput', keyChange, { fields: { id: { type: 'ID' } } })
const RotateApiKeyInput = inputTypeOf('RotateApiKeyInput', keyRotation, { fields: { id: { type: 'ID' } } })
const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', { fields: (t) => ({ id: t.id({ required: true }) }) })

builder.mutationFields((t) => ({
  issueApiKey: t.field({
    type: IssuedApiKey,
    args: { input: t.arg({ type: IssueApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => keyIssuerScopes(context, input),
    resolve: (_root, { input }, { context }) => issueKey(context, input),
  }),
  updateApiKey: t.field({
    type: ApiKeyType,
    args: { input: t.arg({ type: UpdateApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => keyManagerScopesById(context, input.id),
    resolve: (_root, { input }, { context }) => updateKey(context, input),
  }),
  rotateApiKey: t.field({
    type: RotatedApiKey,
    description: 'Gives the key a new value. A value from an earlier rotation ends at once.',
    args: { input: t.arg({ type: RotateApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => keyManagerScopesById(context, input.id),
    resolve: (_root, { input }, { context }) => rotateKey(context, input),
  }),
  revokeApiKey: t.field({
    type: ApiKeyType,
    description: 'Ends the key and its result links at once. Generations that it started continue.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => keyManagerScopesById(context, input.id),
    resolve: (_root, { input }, { context }) => revokeKey(context, input.id),
  }),
}))
