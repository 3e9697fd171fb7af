import { creditsOf, hundredths } from '../contract/hundredths.ts'
import { isId } from '../contract/ids.ts'
import { findKey } from '../domain/access/findKey.ts'
import { issueKey } from '../domain/access/issueKey.ts'
import { listKeys } from '../domain/access/listKeys.ts'
import { loadKeys } from '../domain/access/loadKeys.ts'
import { revokeKey } from '../domain/access/revokeKey.ts'
import { updateKey } from '../domain/access/updateKey.ts'
import type { Context } from '../domain/context.ts'
import { spentTodayOf } from '../domain/credits/dailyCeiling.ts'
import { type ApiKey, scopes } from '../entities/ApiKey.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'
import { inOrderOf } from './inOrderOf.ts'
import { keyedConnection } from './keyedConnection.ts'
import { TeamType } from './team.ts'
import { UserType } from './user.ts'

const ScopeEnum = builder.enumType('Scope', { description: 'What a key may do.', values: enumValues(scopes) })

export const ApiKeyType = builder.loadableObjectRef('ApiKey', {
  load: async (ids: string[], { context }) => inOrderOf(ids, await loadKeys(context, ids), ({ id }) => id),
})

/** Whose a key is to look after: the team's owners and administrators, or the person, where it belongs to no team. */
function holdersOf({ teamId, userId }: Pick<ApiKey, 'teamId' | 'userId'>) {
  return teamId === null ? { person: userId } : { teamAdmin: teamId }
}

/** Whoever may change that key; an unknown one is nobody's. */
async function holdersOfId(context: Context, id: string) {
  return holdersOf((await findKey(context, id)) ?? { teamId: '', userId: '' })
}

/** Whoever may have a key issued: for a team those who look after its keys, without one anybody for themselves. */
function issuersOf(context: Context, { teamId, userId }: { teamId?: string | null | undefined; userId?: string | null | undefined }) {
  const self = context.actor.kind === 'person' ? context.actor.userId : ''
  return holdersOf({ teamId: teamId ?? null, userId: userId ?? self })
}

const ceiling = (limit: number | null) => (limit === null ? null : creditsOf(hundredths(limit)))

builder.objectType(ApiKeyType, {
  description: 'An API key. Its text is shown once, when it is issued.',
  // Whoever sees the history sees by which key; the rest is for those who look after it.
  authScopes: ({ teamId, userId }) => (teamId === null ? { person: userId } : { teamMember: teamId }),
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    prefix: t.exposeString('prefix', { description: 'The leading part of its text.' }),
    scopes: t.expose('scopes', { type: [ScopeEnum], authScopes: holdersOf }),
    team: t.field({ type: TeamType, nullable: true, authScopes: holdersOf, resolve: ({ teamId }) => teamId }),
    issuedBy: t.field({
      type: UserType,
      description: 'In whose name it acts.',
      authScopes: holdersOf,
      resolve: ({ userId }) => userId,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', authScopes: holdersOf }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, authScopes: holdersOf }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, authScopes: holdersOf }),
    dailyLimitCredits: t.float({ nullable: true, authScopes: holdersOf, resolve: ({ dailyLimit }) => ceiling(dailyLimit) }),
    singleLimitCredits: t.float({ nullable: true, authScopes: holdersOf, resolve: ({ singleLimit }) => ceiling(singleLimit) }),
    spentTodayCredits: t.float({
      description: 'Charged since midnight in UTC.',
      authScopes: holdersOf,
      resolve: async ({ id }, _args, { context }) => creditsOf(await spentTodayOf(context, id)),
    }),
    heldCredits: t.float({
      description: 'What its work under way holds.',
      authScopes: holdersOf,
      resolve: ({ heldOpen }) => creditsOf(hundredths(heldOpen)),
    }),
  }),
})

builder.objectField(TeamType, 'apiKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Newest first, revoked ones included. Whoever sees the history may ask by which key.',
    resolve: ({ id: teamId }, args, { context }) =>
      keyedConnection(args, { ...keysById, find: (window) => listKeys(context, { teamId }, window) }),
  }),
)

builder.objectField(UserType, 'apiKeys', (t) =>
  t.connection({
    type: ApiKeyType,
    description: 'Their own keys, which belong to no team; newest first, revoked ones included.',
    authScopes: ({ id }) => ({ person: id }),
    resolve: ({ id: userId }, args, { context }) =>
      keyedConnection(args, { ...keysById, find: (window) => listKeys(context, { userId }, window) }),
  }),
)

const keysById = { keyOf: ({ id }: ApiKey) => id, isKey: (text: string) => isId('key', text) }

const IssuedApiKey = builder.objectRef<{ apiKey: ApiKey; value: string }>('IssueApiKeyPayload')

builder.objectType(IssuedApiKey, {
  authScopes: { caller: true },
  fields: (t) => ({
    apiKey: t.expose('apiKey', { type: ApiKeyType }),
    value: t.exposeString('value', { description: 'The text of the key: shown here and never again.' }),
  }),
})

const IssueApiKeyInput = builder.inputType('IssueApiKeyInput', {
  fields: (t) => ({
    teamId: t.id({ description: 'Left out for a personal key, which serves agents alone.' }),
    userId: t.id({
      description:
        "The issuer: oneself, for who has signed in. Left out by an internal tool: the team's first owner, else its first administrator.",
    }),
    name: t.string({ required: true }),
    scopes: t.field({ type: [ScopeEnum], required: true }),
    dailyLimitCredits: t.float({ description: 'Ceiling per calendar day in UTC.' }),
    singleLimitCredits: t.float({ description: 'Ceiling of one generation.' }),
  }),
})

const UpdateApiKeyInput = builder.inputType('UpdateApiKeyInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string(),
    dailyLimitCredits: t.float({ description: 'Null takes the ceiling away.' }),
    singleLimitCredits: t.float({ description: 'Null takes the ceiling away.' }),
  }),
})

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', { fields: (t) => ({ id: t.id({ required: true }) }) })

builder.mutationFields((t) => ({
  issueApiKey: t.field({
    type: IssuedApiKey,
    args: { input: t.arg({ type: IssueApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => issuersOf(context, input),
    resolve: (_root, { input }, { context }) => issueKey(context, input),
  }),
  updateApiKey: t.field({
    type: ApiKeyType,
    args: { input: t.arg({ type: UpdateApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => holdersOfId(context, input.id),
    resolve: (_root, { input }, { context }) => updateKey(context, input),
  }),
  revokeApiKey: t.field({
    type: ApiKeyType,
    description: 'Ends the key and its result links at once; what it started runs on.',
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true }) },
    authScopes: (_root, { input }, { context }) => holdersOfId(context, input.id),
    resolve: (_root, { input }, { context }) => revokeKey(context, input.id),
  }),
}))
