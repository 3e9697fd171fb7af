import type { KeyRecord } from '../../contract/shapes/keyRecord.ts'
import { listKeys } from '../../domain/access/keys/listKeys.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { managedTeamId } from '../core/managedTeamId.ts'
import { allow } from '../core/scopes.ts'
import { sealedPage } from '../core/sealedPage.ts'
import { ApiKeyStateEnum } from './apiKey.ts'
import { keyDocuments } from './keyDocument.ts'

const ApiKeyListType = builder.objectRef<{ items: KeyRecord[]; nextCursor: string | null }>('ApiKeyList')

builder.objectType(ApiKeyListType, {
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', description: 'The response of GET /keys.', resolve: (list) => list }) }),
})

builder.queryField('apiKeyList', (t) =>
  t.field({
    type: ApiKeyListType,
    ...countsAsPage,
    description: 'The keys of the named team, or of the team of the key; newest first, including revoked keys.',
    args: {
      teamId: t.arg.id(),
      search: t.arg.string(),
      state: t.arg({ type: ApiKeyStateEnum }),
      cursor: t.arg.string(),
      limit: t.arg.int(),
    },
    authScopes: (_root, { teamId }, { context }) => allow('keys.manage', managedTeamId(context, teamId)),
    resolve: (_root, { teamId: named, search, state, ...page }, { context }) => {
      const teamId = managedTeamId(context, named)
      return sealedPage(context, page, {
        of: ['keys', teamId, search ?? null, state ?? null],
        find: (window) => listKeys(context, { teamId, search, state }, window),
        keyOf: ({ id }) => id,
        present: (keys) => keyDocuments(context, keys),
      })
    },
  }),
)
