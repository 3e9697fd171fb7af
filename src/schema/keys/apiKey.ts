import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { isId } from '../../contract/ids.ts'
import { keyStates } from '../../contract/shapes/keyRecord.ts'
import { findKey, loadKeys } from '../../domain/access/keys/findKey.ts'
import { findKeysAtRisk, keysAtRiskMax } from '../../domain/access/keys/findKeysAtRisk.ts'
import { isAgentOnlyKey } from '../../domain/access/keys/issueKey.ts'
import { listKeys } from '../../domain/access/keys/listKeys.ts'
import { requireObjectOfTeam } from '../../domain/access/keys/managingKey.ts'
import { rolesOf } from '../../domain/access/teams/rolesOf.ts'
import type { Context } from '../../domain/context.ts'
import { spendTodayOf } from '../../domain/credits/dailyCeiling.ts'
import { spendThisMonthOf } from '../../domain/credits/monthlyCeiling.ts'
import { type ApiKey, scopes } from '../../entities/ApiKey.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { UserType } from '../teams/user.ts'
import { keyDocuments } from './keyDocument.ts'

export const ScopeEnum = builder.enumType('Scope', { description: 'A permission of a key.', values: enumValues(scopes) })

export const ApiKeyStateEnum = builder.enumType('ApiKeyState', { values: enumValues(keyStates) })
export const ApiKeyType = builder.loadableObjectRef('ApiKey', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadKeys(context, ids), ({ id }) => id),
})

type KeyOwners = Pick<ApiKey, 'teamId' | 'userId' | 'scopes'>

/** Returns the authorization scopes to manage or read a key. The owners of the key are its team and the person who issued it. */
function keyScopes(verb: 'manage' | 'read', { teamId, userId, scopes: keyPermissions }: KeyOwners) {
  const action = isAgentOnlyKey(keyPermissions) ? (`agentKeys.${verb}` as const) : (`keys.${verb}` as const)
  return allow(action, teamId, userId)
}

export function keyManagerScopes(key: KeyOwners) {
  return keyScopes('manage', key)
}

/**
 * Returns the authorization scopes to manage the key with the identifier `id`. If no key has it, only internal tools are authorized.
 * Refusals: not_found when the caller is itself a key, unless `id` is a key of the caller's team.
 */
export async function keyManagerScopesById(context: Context, id: string) {
  const key = await findKey(context, id)
  requireObjectOfTeam(context, key?.teamId)
  return keyManagerScopes(key ?? { teamId: '', userId: '', scopes: [] })
}

const ceiling = (limit: number | null) => (limit === null ? null : creditsOf(hundredths(limit)))

builder.objectType(ApiKeyType, {
  description: 'An API key. Its value is shown once, when the key is issued or rotated.',
  // The history shows members the name of the key; the other fields are for people who manage it.
  authScopes: (key) => keyScopes('read', key),
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', { description: 'The first characters of the value.' }),
    scopes: t.expose('scopes', { type: [ScopeEnum], authScopes: keyManagerScopes }),
    team: t.field({ type: TeamType, nullable: true, authScopes: keyManagerScopes, resolve: ({ teamId }) => teamId }),
    issuedBy: t.field({
      type: UserType,
      description: 'The person who issued the key. The key acts for this person.',
      authScopes: keyManagerScopes,
      resolve: ({ userId }) => userId,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', authScopes: keyManagerScopes }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, authScopes: keyManagerScopes }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, authScopes: keyManagerScopes }),
    dailyLimitCredits: t.float({ nullable: true, authScopes: keyManagerScopes, resolve: ({ dailyLimit }) => ceiling(dailyLimit) }),
    monthlyLimitCredits: t.float({ nullable: true, authScopes: keyManagerScopes, resolve: ({ monthlyLimit }) => ceiling(monthlyLimit) }),
    singleLimitCredits: t.float({ nullable: true, authScopes: keyManagerScopes, resolve: ({ singleLimit }) => ceiling(singleLimit) }),
    confirmAboveCredits: t.float({
      nullable: true,
      description: 'An agent asks a person for confirmation before it starts work above this price.',
      authScopes: keyManagerScopes,
      resolve: ({ confirmAbove }) => ceiling(confirmAbove),
    }),
    spentTodayCredits: t.float({
      description: 'Credits charged since midnight in UTC.',
      authScopes: keyManagerScopes,
      resolve: async ({ id }, _args, { context }) => creditsOf((await spendTodayOf(context, id)).spentToday),
    }),
    spentThisMonthCredits: t.float({
      description: 'Credits charged since the month began in UTC.',
      authScopes: keyManagerScopes,
      resolve: async ({ id }, _args, { context }) => creditsOf((await spendThisMonthOf(context, { keyId: id })).spentThisMonth),
    }),
    json: t.field({
      type: 'JSON',
      description: 'The response of GET /keys/{id}.',
      authScopes: keyManagerScopes,
      resolve: async (key, _args, { context }) => (await keyDocuments(context, [key]))[0],
    }),
    heldCredits: t.float({
      description: 'Credits that its running generations hold.',
      authScopes: keyManagerScopes,
      resolve: ({ heldOpen }) => creditsOf(hundredths(heldOpen)),
    }),
  }),
})

builder.objectField(TeamType, 'apiKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Newest first, including revoked keys. Members of the team may list them, to filter the history by key.',
    args: {
      search: t.arg.string({ description: 'A part of the name or of the prefix, case-insensitive, or a whole identifier.' }),
      state: t.arg({ type: ApiKeyStateEnum }),
      issuedBy: t.arg.id({ description: 'Only keys that this person issued.' }),
    },
    authScopes: ({ id }, { state, issuedBy }) => allow(state || issuedBy ? 'keys.manage' : 'keys.read', id),
    resolve: ({ id: teamId }, { search, state, issuedBy, ...page }, { context }) =>
      keysetConnection(page, { ...byId, find: (window) => listKeys(context, { teamId, search, state, issuedBy }, window) }),
  }),
)

builder.objectField(TeamType, 'keysAtRisk', (t) =>
  t.field({
    type: [ApiKeyType],
    description: `Live keys that are refused or will be soon, by their hints: a lost role, a ceiling used to 80%, an end within 7 days. Newest first, at most ${keysAtRiskMax}.`,
    authScopes: ({ id }) => allow('keys.manage', id),
    resolve: ({ id }, _args, { context }) => findKeysAtRisk(context, id),
  }),
)

builder.objectField(UserType, 'apiKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Personal keys, which belong to no team; newest first, including revoked keys.',
    authScopes: ({ id }) => allow('person.read', id),
    resolve: ({ id: userId }, args, { context }) =>
      keysetConnection(args, { ...byId, find: (window) => listKeys(context, { userId }, window) }),
  }),
)

builder.objectField(UserType, 'agentKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Agent keys that the person issued: personal keys, and keys of their teams. Newest first, including revoked keys.',
    authScopes: ({ id }) => allow('person.read', id),
    resolve: async ({ id: agentsOf }, args, { context }) => {
      const teamIds = (await rolesOf(context, agentsOf)).keys()
      return await keysetConnection(args, { ...byId, find: (window) => listKeys(context, { agentsOf, teamIds }, window) })
    },
  }),
)

/** The order of API keys in a connection: a cursor encodes the identifier. */
const byId = { keyOf: ({ id }: ApiKey) => id, isKey: (text: string) => isId('key', text) }

builder.queryField('apiKey', (t) =>
  t.field({
    type: ApiKeyType,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, { context }) => keyManagerScopesById(context, id),
    resolve: (_root, { id }, { context }) => findKey(context, id),
  }),
)
