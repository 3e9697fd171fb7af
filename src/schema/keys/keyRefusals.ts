import { type KeyRefusal, refusalsOfKey } from '../../domain/access/keys/keyRefusals.ts'
import { builder } from '../core/builder.ts'
import { ApiKeyType, keyManagerScopes } from './apiKey.ts'

const KeyRefusalType = builder.objectRef<KeyRefusal>('KeyRefusal')

builder.objectType(KeyRefusalType, {
  description: 'Refused requests of a key with one code.',
  authScopes: { caller: true },
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The code of the refusal.' }),
    count: t.exposeFloat('count', { description: 'The refused requests.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'About when the last one was refused.' }),
  }),
})

builder.objectField(ApiKeyType, 'refusals', (t) =>
  t.field({
    type: [KeyRefusalType],
    description: 'Refused requests in the last 30 days by code, the most frequent first. They appear within seconds.',
    authScopes: keyManagerScopes,
    resolve: ({ id }, _args, { context }) => refusalsOfKey(context, id),
  }),
)
