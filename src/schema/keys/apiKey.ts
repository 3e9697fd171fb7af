import { creditsOf, hundredths } from '../../contract/hundredths.ts'
import { isId } from '../../contract/ids.ts'
import { keyStates } from '../../contract/shapes/keyRecord.ts'
import { findKey, loadKeys } from '../../domain/access/keys/findKey.ts'
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

/** The scopes of an action on a key, for its team and for the person who issued it. */
function keyScopes(does: 'manage' | 'read', { teamId, userId, scopes: granted }: KeyOwners) {
  const action = isAgentOnlyKey(granted) ? (`agentKeys.${does}` as const) : (`keys.${does}` as const)
  return allow(action, teamId, userId)
}

export function keyManagerScopes(key: KeyOwners) {
  return keyScopes('manage', key)
}

/**
 * The scopes to manage the key with that identifier. An unknown key permits only internal tools. Refusals: not_found for
 * a key that asks for a key of another team. */
export async function keyManagerScopesById(context: Context, id: string) {
  const key = await findKey(context, id)
  requireObjectOfTeam(context, key?.teamId)
  return keyManagerScopes(key ?? { teamId: '', userId: '', scopes: [] })
}

const ceiling = (limit: number | null) => (limit === null ? null : creditsOf(hundredths(limit)))

builder.objectType(ApiKeyType, {
  description: 'An API key. Its text is shown once, at the issue.',
  // The history shows members the name of the key; the other fields are for people who manage it.
  authScopes: (key) => keyScopes('read', key),
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', { description: 'The first characters of its text.' }),
    scopes: t.expose('scopes', { type: [ScopeEnum], authScopes: keyManagerScopes }),
    team: t.field({ type: TeamType, nullable: true, authScopes: keyManagerScopes, resolve: ({ teamId }) => teamId }),
    issuedBy: t.field({
      type: UserType,
      description: 'The person for whom it acts.',
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
      description: 'Agents ask a person to confirm before they start work above this price.',
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
    description: 'Newest first, including revoked keys. Members may filter the history by these keys.',
    args: {
      search: t.arg.string({ description: 'A part of the name or of the prefix, case-insensitive.' }),
      state: t.arg({ type: ApiKeyStateEnum }),
    },
    authScopes: ({ id }, { state }) => allow(state ? 'keys.manage' : 'keys.read', id),
    resolve: ({ id: teamId }, { search, state, ...page }, { context }) =>
      keysetConnection(page, { ...keysById, find: (window) => listKeys(context, { teamId, search, state }, window) }),
  }),
)

builder.objectField(UserType, 'apiKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Personal keys, which belong to no team; newest first, including revoked keys.',
    authScopes: ({ id }) => allow('person.read', id),
    resolve: ({ id: userId }, args, { context }) =>
      keysetConnection(args, { ...keysById, find: (window) => listKeys(context, { userId }, window) }),
  }),
)

builder.objectField(UserType, 'agentKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'The agent keys that they issued, in their teams and personal ones; newest first, including revoked keys.',
    authScopes: ({ id }) => allow('person.read', id),
    resolve: async ({ id: agentsOf }, args, { context }) => {
      const teamIds = (await rolesOf(context, agentsOf)).keys()
      return await keysetConnection(args, { ...keysById, find: (window) => listKeys(context, { agentsOf, teamIds }, window) })
    },
  }),
)

const keysById = { keyOf: ({ id }: ApiKey) => id, isKey: (text: string) => isId('key', text) }

builder.queryField('apiKey', (t) =>
  t.field({
    type: ApiKeyType,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, { context }) => keyManagerScopesById(context, id),
    resolve: (_root, { id }, { context }) => findKey(context, id),
  }),
)
