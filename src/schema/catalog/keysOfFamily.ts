import { familyNotFound } from '../../contract/refusals/familyNotFound.ts'
import {
  findKeysOfFamily,
  type KeyOfFamily,
  type KeysOfFamily,
  keysOfFamilyDays,
  keysOfFamilyMax,
} from '../../domain/access/availability/findKeysOfFamily.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { allow } from '../core/scopes.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { TeamType } from '../teams/team.ts'

const KeyOfFamilyType = builder.objectRef<KeyOfFamily>('KeyOfFamily')

builder.objectType(KeyOfFamilyType, {
  description: 'A key that started a family.',
  authScopes: { caller: true },
  fields: (t) => ({
    key: t.field({ type: ApiKeyType, description: 'The key.', resolve: ({ keyId }) => keyId }),
    generations: t.exposeFloat('generations', {
      description: `How many generations of the family it started in the last ${keysOfFamilyDays} days.`,
    }),
  }),
})

const KeysOfFamilyType = builder.objectRef<KeysOfFamily>('KeysOfFamily')

builder.objectType(KeysOfFamilyType, {
  description: 'The keys of a team that may start a family.',
  authScopes: { caller: true },
  fields: (t) => ({
    inUse: t.field({
      type: [KeyOfFamilyType],
      description: `Keys that started it in the last ${keysOfFamilyDays} days, the most used first, at most ${keysOfFamilyMax}.`,
      resolve: ({ inUse }) => inUse,
    }),
    inUseCount: t.exposeInt('inUseCount', { description: `The number of all keys that started it in the last ${keysOfFamilyDays} days.` }),
    otherCount: t.exposeInt('otherCount', { description: 'The number of other keys that may start it.' }),
  }),
})

builder.objectField(TeamType, 'keysOfFamily', (t) =>
  t.field({
    type: KeysOfFamilyType,
    ...countsAsPage,
    description: 'Live keys whose scopes, ceilings and roles let them start the family: the keys that fail when the team switches it off.',
    args: { familyId: t.arg.id({ required: true }) },
    authScopes: ({ id }) => allow('keys.manage', id),
    resolve: ({ id }, { familyId }, { context }) => {
      const family = context.catalog.families.get(familyId)
      if (!family) throw familyNotFound(familyId, context.catalog.families.keys())
      return findKeysOfFamily(context, id, family)
    },
  }),
)
