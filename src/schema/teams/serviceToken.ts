import { isId } from '../../contract/ids.ts'
import { newServiceToken } from '../../contract/shapes/serviceTokenInput.ts'
import { createServiceToken, listServiceTokens, revokeServiceToken } from '../../domain/access/serviceTokens.ts'
import type { ServiceToken } from '../../entities/ServiceToken.ts'
import { builder } from '../core/builder.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { allow } from '../core/scopes.ts'
import { inputTypeOf } from '../core/shapeFields.ts'

const ServiceTokenType = builder.objectRef<ServiceToken>('ServiceToken')

builder.objectType(ServiceTokenType, {
  description: 'A named token of an internal tool. Its text is shown once, when it is made.',
  authScopes: allow('serviceTokens.manage'),
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { description: 'Appears in the audit log.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of its text.' }),
    readOnly: t.exposeBoolean('readOnly', { description: 'It may run queries, and no mutation.' }),
    teamIds: t.expose('teamIds', { type: ['ID'], nullable: true, description: 'The only teams that it may act on; null for everything.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'To the minute; null before its first use.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'Null while it works.' }),
  }),
})

builder.queryField('serviceTokens', (t) =>
  t.connection({
    type: ServiceTokenType,
    description: 'All service tokens, newest first, including revoked ones. The value of SERVICE_TOKEN is not listed.',
    authScopes: allow('serviceTokens.manage'),
    resolve: (_root, page, { context }) =>
      keysetConnection(page, {
        find: (window) => listServiceTokens(context, window),
        keyOf: ({ id }) => id,
        isKey: (text) => isId('tok', text),
      }),
  }),
)

const CreatedToken = builder.objectRef<{ token: ServiceToken; value: string }>('CreateServiceTokenPayload').implement({
  authScopes: { caller: true },
  fields: (t) => ({
    token: t.expose('token', { type: ServiceTokenType, description: 'The new token.' }),
    value: t.exposeString('value', { description: 'The text of the token. It is shown only here.' }),
  }),
})

const CreateServiceTokenInput = inputTypeOf('CreateServiceTokenInput', newServiceToken, { fields: { teamIds: { type: ['ID'] } } })
const RevokeServiceTokenInput = builder.inputType('RevokeServiceTokenInput', { fields: (t) => ({ id: t.id({ required: true }) }) })

builder.mutationFields((t) => ({
  createServiceToken: t.field({
    type: CreatedToken,
    description: 'Makes a token for one internal tool, with the rights that it needs.',
    args: { input: t.arg({ type: CreateServiceTokenInput, required: true }) },
    authScopes: allow('serviceTokens.manage'),
    resolve: (_root, { input }, { context }) => createServiceToken(context, input),
  }),
  revokeServiceToken: t.field({
    type: ServiceTokenType,
    description: 'Ends a token at once. A repeat changes nothing.',
    args: { input: t.arg({ type: RevokeServiceTokenInput, required: true }) },
    authScopes: allow('serviceTokens.manage'),
    resolve: (_root, { input }, { context }) => revokeServiceToken(context, input.id),
  }),
}))
