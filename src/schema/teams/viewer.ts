import type { Actor } from '../../domain/access/actor.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { UserType } from './user.ts'

const ViewerKind = builder.enumType('ViewerKind', { values: enumValues(['service', 'key', 'person']) })

const ViewerType = builder.objectRef<Actor>('Viewer')

builder.objectType(ViewerType, {
  description: 'The caller.',
  authScopes: { caller: true },
  fields: (t) => ({
    kind: t.field({ type: ViewerKind, resolve: ({ kind }) => (kind === 'system' ? 'service' : kind) }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Null for an internal tool.',
      resolve: (actor) => (actor.kind === 'key' || actor.kind === 'person' ? actor.userId : null),
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({ type: ViewerType, authScopes: { caller: true }, resolve: (_root, _args, { context }) => context.actor }),
)
